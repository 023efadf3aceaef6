<?php
/** Decides what a payment means for its order. Pure: reads and changes nothing. */

namespace Kashbox\WooCommerce;

use Kashbox\Payment;

defined('ABSPATH') || exit;

final class Decision
{
    /** Not paid yet. */
    public const WAITING = 'waiting';
    /** A part of the money came, and a rest is due. */
    public const PARTIAL = 'partial';
    /** An operator of Kashbox decides. */
    public const REVIEW = 'review';
    /** Cancelled, refused or expired. */
    public const FAILED = 'failed';
    /** Paid: complete the order. */
    public const PAID = 'paid';
    /** Decided earlier. */
    public const REPEATED = 'repeated';
    /** Money came, but not what the order costs now. */
    public const OTHER_AMOUNT = 'other_amount';
    /** Money came for an order that was paid in another way, refunded or removed. */
    public const NOT_PAYABLE = 'not_payable';
    /** A simulated payment, and the shop is not in test mode. */
    public const TEST_PAYMENT = 'test_payment';
    /** A wallet reports that the money went back, or was another amount. */
    public const DISPUTED = 'disputed';

    /**
     * @param string $state of the payment as the order has it: `open`, `partial`, `review`, `failed`, `paid`,
     *   `refused` or `disputed`
     * @param string $event of the notification; empty without one
     * @param array{total: string, currency: string, paidBy: string, isPayable: bool, isTestMode: bool, partPaid: string} $order
     *   where `paidBy` is the transaction id of a paid order, and `partPaid` the taka that the order knows of
     */
    public static function of(string $state, Payment $payment, string $event, array $order): string
    {
        if ($event === 'payment.disputed' && $payment->isPaid) {
            return $state === 'disputed' ? self::REPEATED : self::DISPUTED;
        }
        $isBooked = $payment->isPaid && $order['paidBy'] !== '' && $order['paidBy'] === $payment->transactionId;
        if ($isBooked || in_array($state, ['paid', 'refused', 'disputed'], true)) return self::REPEATED;
        if ($payment->state === 'failed') return $state === 'failed' ? self::REPEATED : self::FAILED;
        if (!$payment->isPaid) {
            $isPartial = $payment->dueAmount !== null && $payment->state === 'pending' && $event !== 'payment.pending';
            if ($isPartial) return $order['partPaid'] === $payment->paidAmount ? self::REPEATED : self::PARTIAL;
            // While a payment is pending, only the notification tells that it is under review.
            $isReview = $payment->state === 'review' || $event === 'payment.pending';
            if ($state === 'review') return self::REPEATED;
            return $isReview ? self::REVIEW : self::WAITING;
        }
        if ($payment->isTest && !$order['isTestMode']) return self::TEST_PAYMENT;
        $isWhole = $payment->paidAmount === $payment->amount && $payment->amount === $order['total'];
        if (!$isWhole || $order['currency'] !== 'BDT') return self::OTHER_AMOUNT;
        return $order['isPayable'] ? self::PAID : self::NOT_PAYABLE;
    }
}
