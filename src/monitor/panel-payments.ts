/** The panels of money: payments of the last hour, and what waits for a person. Pure. */
import type { Board } from '../actions/upkeep/read-dashboard.js';
import { ageText, clockText } from './age.js';
import type { Cell, Tone } from './frame.js';
import type { Column, Panel } from './panel.js';

const PAYMENT_COLUMNS: readonly Column[] = [
  { head: 'TIME', width: 8, rank: 0 },
  { head: 'PAYMENT', width: 12, rank: 0 },
  { head: 'BDT', width: 10, align: 'right', rank: 0 },
  { head: 'STATUS', width: 9, rank: 0 },
  { head: 'CHANNEL', width: 12, rank: 1 },
  { head: 'BRAND', width: 11, upTo: 20, rank: 2 },
  { head: 'CUSTOMER', width: 11, upTo: 22, rank: 3 },
  { head: 'TRANSACTION', width: 12, upTo: 16, rank: 4 },
  { head: 'REASON', width: 10, rank: 5 },
];

type Payment = Board['payments']['latest'][number];

const STATUS_TONES: Readonly<Record<Payment['status'], Tone>> = {
  COMPLETED: 'good',
  PENDING: 'info',
  FAILED: 'dim',
};

export function paymentsPanel({ last_hour: hour, latest }: Board['payments'], now: number): Panel {
  return {
    id: 'payments',
    title: 'Payments',
    summary: [
      { text: `${hour.completed} COMPLETED`, tone: 'good' },
      { text: `BDT ${hour.paid}` },
      ...some(hour.pending, 'PENDING', 'info'),
      ...some(hour.failed, 'FAILED', 'dim'),
      { text: 'last hour', tone: 'dim' },
    ],
    sparks: [
      { word: 'opened', values: hour.slots.map(({ opened }) => opened), tone: 'info' },
      { word: 'paid', values: hour.slots.map(({ completed }) => completed), tone: 'good' },
    ],
    columns: PAYMENT_COLUMNS,
    rows: latest.map((payment) => ({
      key: payment.id,
      cells: [
        { text: clockText(payment.created_at, now), tone: 'dim' },
        { text: payment.gateway_reference },
        { text: payment.paid ?? payment.amount },
        { text: payment.status, tone: STATUS_TONES[payment.status] },
        { text: payment.channel ?? '' },
        { text: payment.brand },
        { text: payment.cus_name },
        { text: payment.transaction_id ?? '' },
        { text: payment.reason, tone: payment.reason === 'review' ? 'warn' : 'dim' },
      ],
      thing: payment,
    })),
    empty: 'No payment yet.',
  };
}

function some(count: number, word: string, tone: Tone): Cell[] {
  return count === 0 ? [] : [{ text: `${count} ${word}`, tone }];
}

const REVIEW_COLUMNS: readonly Column[] = [
  { head: 'WAIT', width: 4, align: 'right', rank: 0 },
  { head: 'BDT', width: 9, upTo: 10, align: 'right', rank: 0 },
  { head: 'WHY', width: 13, least: 8, upTo: 18, rank: 0 },
  { head: 'CUSTOMER', width: 10, upTo: 18, rank: 1 },
  { head: 'CHANNEL', width: 12, rank: 2 },
  { head: 'BRAND', width: 10, upTo: 18, rank: 3 },
  { head: 'REFERENCE', width: 12, upTo: 20, rank: 4 },
];

export function reviewsPanel({ waiting, oldest }: Board['reviews'], now: number): Panel {
  return {
    id: 'reviews',
    title: 'Reviews',
    summary: [waiting === 0 ? { text: 'none', tone: 'dim' } : { text: `${waiting} waiting`, tone: 'warn' }],
    sparks: [],
    columns: REVIEW_COLUMNS,
    rows: oldest.map((review) => ({
      key: review.id,
      cells: [
        { text: ageText(review.created_at, now) },
        { text: review.amount },
        { text: review.reason.replaceAll('_', ' '), tone: 'warn' },
        { text: review.cus_name },
        { text: review.channel },
        { text: review.brand },
        { text: review.reference },
      ],
      thing: review,
    })),
    empty: 'None waits for you.',
  };
}
