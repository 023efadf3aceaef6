"""Client of the Kashbox API: creates a payment, verifies it, receives its notifications and delivers its
order once. One module without dependencies, Python 3.9 or newer. Not kept here: orders and prices, which
are the shop's.
"""

import base64
import hashlib
import hmac
import json
import os
import re
import socket
import ssl
import time
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from http.client import HTTPException
from typing import Any, Callable, Mapping, Optional, Protocol, Sequence, Union
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

Amount = Union[str, int, float, Decimal]
_PAGE = 'the full address of a page of your shop'


class KashboxError(Exception):
    """Everything that this module raises. A message says what to do, and never has a key or secret in it."""


class InvalidInputError(KashboxError):
    """An option or argument is missing or malformed. Nothing was sent."""


class ApiConnectionError(KashboxError):
    """Kashbox did not answer, or what answered is not Kashbox. The same call may be repeated."""


class RefusedError(KashboxError):
    """Kashbox answered with an error: `status` is the HTTP status, `reason` the message of Kashbox."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f'Kashbox answered {status}: {reason}')
        self.status = status
        self.reason = reason


class PaymentMismatchError(KashboxError):
    """The payment exists, but it is not the payment of this order and amount. Never deliver on it."""


class SignatureError(KashboxError):
    """The notification does not prove that Kashbox sent it just now: answer 401.

    `reason` is `no_header`, `malformed`, `wrong`, `too_old` or `in_the_future`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class CreatedPayment:
    """Store `id`, the session reference, with the order, and redirect the customer to `url`."""

    id: str
    url: str


@dataclass(frozen=True)
class Payment:
    """The payment of the order and amount given to verify."""

    id: str
    order: str
    #: Requested taka, such as "500.00".
    amount: str
    #: `completed`, `pending`, `review` (an operator decides) or `failed` (cancelled, refused or expired).
    state: str
    #: Taka received, without the fee; None if nothing has come. An operator may have accepted another sum. Of
    #: a payment in parts also while `is_paid` is False.
    paid_amount: Optional[str]
    #: Taka that are still due of a payment in parts; None before its first part, and of all others.
    due_amount: Optional[str]
    #: Taka that were sent back to the customer, such as "0.00".
    refunded_amount: str
    #: `mfs_a` … `bank`, or None while unknown.
    payment_method: Optional[str]
    #: Reference of the wallet or bank once paid, before that of Kashbox.
    transaction_id: str
    #: True if the payment was simulated: a test brand, no money.
    is_test: bool
    #: The transaction record as Kashbox answered it.
    data: Mapping[str, Any] = field(repr=False)
    #: Set by settle for a paid order: `delivered` (by this call), `repeated` (earlier) or `running`.
    delivery: Optional[str] = None

    @property
    def is_paid(self) -> bool:
        """True if `state` is `completed`: deliver."""
        return self.state == 'completed'


@dataclass(frozen=True)
class CreatedRefunds:
    """Refunds that the operator has to send. `payment.refunded` says that one was sent."""

    #: One, or one for each number that paid a part, as Kashbox answered it.
    refunds: Sequence[Mapping[str, Any]]
    #: Taka of the payment that were sent back.
    refunded_amount: str
    #: Taka of the payment that have to be sent.
    pending_amount: str


@dataclass(frozen=True)
class Event:
    """A notification whose signature is valid."""

    #: `payment.completed`, `payment.pending`, `payment.failed`, `payment.disputed`, `payment.partial`,
    #: `payment.refunded` or `ping`.
    event: str
    #: Id of the notification, the same in all its repeats.
    id: str
    #: Order that create named; None for a ping and for payments created without this client.
    order: Optional[str]
    #: Session reference of the payment; None for a ping.
    session_id: Optional[str]
    #: All fields of the notification.
    data: Mapping[str, Any] = field(repr=False)


class DeliveryStore(Protocol):
    """Remembers which orders were delivered."""

    def once(self, order: str, deliver: Callable[[], object]) -> str:
        """Runs `deliver` if the order was not delivered yet. Of several calls at once, one runs it.

        If it raises, the order counts as not delivered, and the exception is raised on. Returns `delivered`
        (by this call), `repeated` (earlier) or `running` (another call delivers now).
        """


class FileDeliveryStore:
    """Keeps one file for each delivered order in a folder that no browser can reach.

    The folder exists, and the user of the server may write to it.
    """

    _DELIVERED = 'delivered\n'

    def __init__(self, folder: Union[str, 'os.PathLike[str]']) -> None:
        self._folder = os.fspath(folder)

    def once(self, order: str, deliver: Callable[[], object]) -> str:
        """A file without the line "delivered" is `running`: another call delivers now, or was killed in the
        middle. In the latter case check the order, and delete the file to deliver it again.
        """
        path = os.path.join(self._folder, hashlib.sha256(order.encode()).hexdigest())
        try:
            # Mode x creates the file, or fails if it exists: of two calls at once, one delivers.
            file = open(path, 'x', encoding='utf-8')
        except OSError:
            return self._state_of(path)
        with file:
            try:
                file.write(f'{order}\n')
                deliver()
            except BaseException:
                os.unlink(path)
                raise
            file.write(self._DELIVERED)
        return 'delivered'

    def _state_of(self, path: str) -> str:
        if not os.path.isdir(self._folder) or not os.access(self._folder, os.W_OK):
            raise KashboxError(
                f'Cannot write to the folder {self._folder}: create it, and give it to the user of the '
                'server.'
            )
        try:
            with open(path, encoding='utf-8') as file:
                text = file.read()
        except FileNotFoundError:
            return 'running'
        return 'repeated' if text.endswith(f'\n{self._DELIVERED}') else 'running'


class Kashbox:
    """The API of one brand.

    url: address of the installation, with its path if it has one. key: the Brand Key. secret: the webhook
    secret, for receive. deliveries: a DeliveryStore, for settle. ca: the file of a self-signed certificate,
    tls/cert.pem of Kashbox; then only this is trusted. timeout: seconds.
    """

    _TOLERANCE_S = 300
    _MAX_HEADER = 2048

    def __init__(
        self,
        *,
        url: str,
        key: str,
        secret: Optional[str] = None,
        deliveries: Optional[DeliveryStore] = None,
        ca: Optional[str] = None,
        timeout: int = 10,
    ) -> None:
        """Raises InvalidInputError."""
        self._url = _url_of(url)
        self._key = _key_of(key)
        self._secret = _secret_of(secret)
        self._deliveries = deliveries
        self._timeout = _count_of('timeout', timeout, 'seconds, such as 10')
        self._opener = _opener(_trimmed('ca', ca))

    def create(
        self,
        *,
        order: Union[str, int],
        amount: Amount,
        success_url: str,
        cancel_url: str,
        webhook_url: Optional[str] = None,
        customer_name: Optional[str] = None,
        customer_email: Optional[str] = None,
        description: Optional[str] = None,
        items: Optional[Sequence[Mapping[str, Any]]] = None,
        parts: Optional[bool] = None,
        due_on_delivery: Optional[Amount] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        attempt: int = 1,
    ) -> CreatedPayment:
        """Creates a payment. Repeating it, after an answer that was lost, returns the same payment for 24
        hours.

        order and amount (see amount_of) are from your own database. description and items are shown on the
        payment page; each item is a dict with name, quantity and price, and they must add up to amount and
        due_on_delivery. parts: if the payment may come in parts (default: as the brand has it).
        due_on_delivery: for an advance, taka that the customer pays on delivery, in addition to amount.
        metadata: data of your own. attempt: count it up for a new payment of the same order, after the last
        one has failed. Raises InvalidInputError, RefusedError, ApiConnectionError.
        """
        number = _order_of(order)
        taka = amount_of(amount)
        _count_of('attempt', attempt, '1, 2, 3 and so on')
        if metadata is not None and (not isinstance(metadata, Mapping) or 'order' in metadata):
            raise InvalidInputError('Set metadata to a dict without "order", which this client adds.')
        fields = {
            'amount': taka,
            'success_url': _required_of('success_url', success_url, _PAGE),
            'cancel_url': _required_of('cancel_url', cancel_url, _PAGE),
            'webhook_url': webhook_url,
            'cus_name': customer_name,
            'cus_email': customer_email,
            'description': description,
            'items': [_json_line(line) for line in items or []],
            'parts': parts,
            'due_on_delivery': None if due_on_delivery is None else amount_of(due_on_delivery),
            'meta_data': {'order': number, **(metadata or {})},
        }
        given = {name: value for name, value in fields.items() if value not in (None, '', [])}
        key = hashlib.sha256(f'{number}\n{taka}\n{attempt}'.encode()).hexdigest()
        url = self._call('payment/create', given, {'Idempotency-Key': key}).get('payment_url')
        found = re.fullmatch(r'https?://.*/([0-9a-f]{32})', url) if isinstance(url, str) else None
        if not found:
            raise self._strange('an answer without payment_url')
        return CreatedPayment(found[1], found[0])

    def verify(self, *, id: str, order: Union[str, int], amount: Amount) -> Payment:
        """Verifies that this is the payment of this order and amount, and returns its state.

        id is from create, or the session_id of a notification; never from the customer's browser. Raises
        PaymentMismatchError if it is the payment of another order or another amount, or if it was simulated
        and the key is not a test key; InvalidInputError, RefusedError, ApiConnectionError.
        """
        reference = _id_of(id)
        number = _order_of(order)
        taka = amount_of(amount)
        data = self._call('payment/verify', {'transaction_id': reference}).get('data')
        if not isinstance(data, dict):
            raise self._strange('an answer without data')
        self._compare(data, number, taka)
        state = _state_of(data)
        paid = data.get('paid_amount') or (taka if state == 'completed' else None)
        return Payment(
            id=reference,
            order=number,
            amount=taka,
            state=state,
            paid_amount=amount_of(paid) if paid else None,
            due_amount=amount_of(data['due_amount']) if data.get('due_amount') else None,
            refunded_amount=amount_of(data.get('refunded_amount') or 0),
            payment_method=data.get('payment_method'),
            transaction_id=str(data.get('transaction_id', '')),
            is_test=data.get('test') is True,
            data=data,
        )

    def settle(
        self, deliver: Callable[[Payment], object], *, id: str, order: Union[str, int], amount: Amount
    ) -> Payment:
        """Verifies a payment, and delivers its order if it is paid: once, however often and from wherever
        it is called. For the return page and for the webhook.

        If deliver raises, the next call delivers again. If `delivery` of the returned payment is `running`,
        answer a webhook with 503, so that it is repeated. Raises as verify does, and what deliver raises.
        """
        if self._deliveries is None:
            raise InvalidInputError("Set deliveries, such as FileDeliveryStore('/var/lib/shop/deliveries').")
        payment = self.verify(id=id, order=order, amount=amount)
        if not payment.is_paid:
            return payment
        return replace(payment, delivery=self._deliveries.once(payment.order, lambda: deliver(payment)))

    def refund(
        self, *, id: str, refund: Union[str, int], note: str, amount: Optional[Amount] = None
    ) -> CreatedRefunds:
        """Requests that money goes back to the customer. The operator sends it, to the number that paid.

        id of the payment, from create. refund: your own number of this refund; a repeated call with it
        creates nothing. note: the reason, which the operator sees. amount: taka, by default what was paid
        without fees and was not sent back. Raises InvalidInputError, RefusedError, ApiConnectionError.
        """
        reference = _id_of(id)
        own = _order_of(refund, 'refund', 'your own number of this refund')
        fields = {'id': reference, 'note': _required_of('note', note, 'the reason of the refund')}
        if amount is not None:
            fields['amount'] = amount_of(amount)
        key = hashlib.sha256(f'{reference}\n{own}'.encode()).hexdigest()
        data = self._call('v2/payment/refund', fields, {'Idempotency-Key': key}).get('data')
        if not isinstance(data, dict) or not isinstance(data.get('refunds'), list):
            raise self._strange('an answer without refunds')
        sums = [amount_of(data.get(name, '')) for name in ('refunded_amount', 'pending_amount')]
        return CreatedRefunds(data['refunds'], *sums)

    def receive(
        self, raw_body: Union[bytes, str], headers: Mapping[str, Any], now: Optional[float] = None
    ) -> Event:
        """Checks the Standard Webhooks signature of a notification, and returns its content.

        raw_body: as it came, before anything parsed it. headers: in any letter case; also a WSGI environ.
        now: Unix time in seconds, by default the clock. Raises SignatureError, InvalidInputError.
        """
        if self._secret is None:
            raise InvalidInputError(
                'Set secret to the webhook secret of the brand, which begins with whsec_.'
            )
        if not isinstance(raw_body, (bytes, str)):
            raise InvalidInputError(
                'Give the raw body as bytes, such as request.get_data(); this one was parsed.'
            )
        body = raw_body.encode() if isinstance(raw_body, str) else raw_body
        self._check_signature(body, _webhook_headers(headers), time.time() if now is None else now)
        data = _parse_object(body)
        if data is None or not isinstance(data.get('event'), str):
            raise InvalidInputError(
                'The notification is signed, but it is not JSON: '
                '`kashbox brands update BRAND --webhook-format json`.'
            )
        return Event(data['event'], str(data.get('id', '')), _order_in(data), data.get('session_id'), data)

    def _compare(self, data: Mapping[str, Any], order: str, amount: str) -> None:
        own = _order_in(data)
        if own is None:
            raise PaymentMismatchError(
                f'This payment names no order, but order {order} was expected: do not deliver.'
            )
        if own != order:
            raise PaymentMismatchError(
                f'This is the payment of order {own}, not of order {order}: do not deliver.'
            )
        requested = amount_of(data['amount']) if isinstance(data.get('amount'), str) else 'no'
        if requested != amount:
            raise PaymentMismatchError(
                f'This payment is for {requested} taka, but order {order} costs {amount}: do not deliver.'
            )
        if data.get('test') is True and not self._key.startswith('test_'):
            raise PaymentMismatchError(f'The payment of order {order} was simulated: do not deliver.')

    def _check_signature(self, body: bytes, headers: Mapping[str, Optional[str]], now: float) -> None:
        for name, value in headers.items():
            if value is None:
                raise SignatureError('no_header', f'The notification has no header {name}: answer 401.')
        signed_id, at, signatures = (value or '' for value in headers.values())
        is_whole = signed_id != '' and '.' not in signed_id and re.fullmatch('[0-9]{1,12}', at)
        is_whole = is_whole and len(signatures) <= self._MAX_HEADER
        given = [one for one in signatures.split(' ') if one.startswith('v1,')] if is_whole else []
        if not given or not all(re.fullmatch('v1,[A-Za-z0-9+/]{43}=', one) for one in given):
            raise SignatureError('malformed', 'The webhook-… headers are not whole: answer 401.')
        signed = f'{signed_id}.{at}.'.encode() + body
        digest = hmac.new(self._secret or b'', signed, hashlib.sha256).digest()
        mine = 'v1,' + base64.b64encode(digest).decode()
        # Two while the secret is rotated.
        if not any([hmac.compare_digest(mine, one) for one in given]):
            raise SignatureError(
                'wrong',
                'The notification is not signed with this secret, or this is not the raw body: answer 401, '
                'and check with `kashbox webhooks verify`.',
            )
        age_s = int(now) - int(at)
        if abs(age_s) <= self._TOLERANCE_S:
            return
        when = f'{age_s} seconds ago' if age_s > 0 else f'{-age_s} seconds in the future'
        raise SignatureError(
            'too_old' if age_s > 0 else 'in_the_future',
            f'The notification was signed {when}: answer 401, and synchronise the clock of this server.',
        )

    def _call(
        self, path: str, fields: Mapping[str, Any], headers: Mapping[str, str] = {}
    ) -> Mapping[str, Any]:
        """Returns the JSON answer of HTTP 200."""
        every = {'BRAND-KEY': self._key, 'Content-Type': 'application/json', **headers}
        every['Accept'] = 'application/json'
        request = Request(f'{self._url}/api/{path}', json.dumps(fields).encode(), every)
        try:
            status, body = self._send(request)
        except (OSError, HTTPException) as fault:
            # The cause is left out, because a traceback of it has the headers of the request.
            said = self._without_key(_reason_of(fault))
            raise ApiConnectionError(f'Kashbox at {self._url} cannot be reached: {said}') from None
        if 300 <= status < 400:
            raise self._strange(f'a redirect (HTTP {status})')
        answer = _parse_object(body)
        if answer is None:
            raise self._strange(f'HTTP {status} without JSON')
        if status == 200:
            return answer
        message = answer.get('message')
        reason = message if isinstance(message, str) else 'no reason given'
        raise RefusedError(status, self._without_key(reason))

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, '…')

    def _send(self, request: Request) -> 'tuple[int, bytes]':
        deadline = time.monotonic() + self._timeout
        with self._opener.open(request, timeout=self._timeout) as response:
            body = b''
            while part := response.read1(65536):
                body += part
                if len(body) > _MAX_ANSWER:
                    raise OSError('the answer is too long')
                if time.monotonic() > deadline:
                    raise TimeoutError
            return response.status, body

    def _strange(self, what: str) -> ApiConnectionError:
        return ApiConnectionError(
            f'{self._url} answered {what}: check that url is the address of Kashbox itself, and that no login '
            'page or proxy is in front of it.'
        )


def amount_of(amount: Amount) -> str:
    """Taka as text with two decimals: 500 and "500" are "500.00". An int, a Decimal, decimal text or a
    float.

    A value less than 10^-9 taka from two decimals is that amount (121.00000000000001 is "121.00"), as Kashbox
    itself reads it. Anything between two paisa is refused, because rounding it here would request another sum
    than the shop books. Raises InvalidInputError.
    """
    text = ''
    if isinstance(amount, str):
        text = amount.strip()
    elif isinstance(amount, float):
        text = f'{amount:.10f}'
    elif isinstance(amount, (int, Decimal)) and not isinstance(amount, bool):
        text = f'{amount:f}' if isinstance(amount, Decimal) else str(amount)
    found = re.fullmatch(r'([0-9]{1,9})(?:\.([0-9]+))?', text)
    if not found:
        raise InvalidInputError('Set amount to taka in plain digits, such as "500" or "500.50".')
    fraction = (found[2] or '').ljust(2, '0')
    beyond = fraction[2:]
    paisa = 100 * int(found[1]) + int(fraction[:2])
    if beyond.startswith('9999999'):
        paisa += 1
    elif not re.fullmatch('0*|0{7}[0-9]*', beyond):
        raise InvalidInputError('The amount has more than two decimals: round it where you calculate it.')
    return f'{paisa // 100}.{paisa % 100:02d}'


def _json_line(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """An order line for JSON, which has no Decimal."""
    return {name: f'{value:f}' if isinstance(value, Decimal) else value for name, value in line.items()}


_MAX_ANSWER = 1_048_576
_NOT_TRUSTED = (
    'its certificate is not trusted. If Kashbox created it itself, set ca to a copy of its tls/cert.pem, and '
    'url to a name in it. Never turn the check off.'
)
_NO_ANSWER = 'no answer within the timeout. The same call may be repeated.'


@lru_cache(maxsize=1)
def _system_context() -> ssl.SSLContext:
    """The certificates of the system take a tenth of a second to load."""
    return ssl.create_default_context()


def _opener(ca: str) -> OpenerDirector:
    """Speaks HTTP and HTTPS, through the proxy of the environment, and does not follow redirects."""
    try:
        context = ssl.create_default_context(cafile=ca) if ca else _system_context()
    except OSError:
        raise InvalidInputError(f'Set ca to a certificate that this program can read: {ca} is not.') from None
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler(context=context)):
        opener.add_handler(handler)
    return opener


def _reason_of(fault: Exception) -> str:
    reason = getattr(fault, 'reason', fault)
    if isinstance(reason, (socket.timeout, TimeoutError)):
        return _NO_ANSWER
    if isinstance(reason, ssl.SSLCertVerificationError):
        return _NOT_TRUSTED
    text = getattr(reason, 'strerror', None) or str(reason) or type(reason).__name__
    return f'{text}. Check url, and that Kashbox is running.'


def _parse_object(body: bytes) -> 'Optional[dict[str, Any]]':
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _order_in(data: Mapping[str, Any]) -> Optional[str]:
    """The order in `meta_data`, which is a JSON text for brands with `--metadata-as string`."""
    meta = data.get('meta_data')
    if isinstance(meta, str):
        meta = _parse_object(meta.encode())
    order = meta.get('order') if isinstance(meta, dict) else None
    is_number = isinstance(order, int) and not isinstance(order, bool)
    return str(order) if isinstance(order, str) or is_number else None


def _state_of(data: Mapping[str, Any]) -> str:
    """An unknown status is pending, never paid. Brands with `--status-as lower` get lower case."""
    status = str(data.get('status')).upper()
    if status in ('COMPLETED', 'FAILED'):
        return status.lower()
    return 'review' if data.get('review') is True else 'pending'


def _webhook_headers(headers: Mapping[str, Any]) -> 'dict[str, Optional[str]]':
    """The three headers by lower-case name; None if absent."""
    found: 'dict[str, Optional[str]]' = {
        'webhook-id': None,
        'webhook-timestamp': None,
        'webhook-signature': None,
    }
    for name, value in headers.items():
        # WSGI has HTTP_WEBHOOK_ID.
        plain = re.sub('^http-', '', str(name).lower().replace('_', '-'))
        if plain in found:
            found[plain] = (', '.join(value) if isinstance(value, (list, tuple)) else str(value)).strip()
    return found


def _trimmed(name: str, value: Any) -> str:
    """Text without the blanks and line breaks that copying adds; empty if absent."""
    if value is None:
        return ''
    if not isinstance(value, str):
        raise InvalidInputError(f'Set {name} to a text.')
    return re.sub('^[\\s\u200b\ufeff]+|[\\s\u200b\ufeff]+$', '', value)


def _url_of(value: Any) -> str:
    plain = _trimmed('url', value).rstrip('/')
    https = r'https://[^\s/?#@\\]+(?:/[^\s?#@\\]*)?'
    http_here = r'http://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?(?:/[^\s?#@\\]*)?'
    if not re.fullmatch(f'{https}|{http_here}', plain, re.IGNORECASE):
        raise InvalidInputError(
            'Set url to the address of Kashbox: https://pay.example.com, with its path if it has one.'
        )
    return plain


def _key_of(value: Any) -> str:
    key = _trimmed('key', value)
    if not re.fullmatch('(?:bk|test)_[A-Za-z0-9]+', key):
        raise InvalidInputError(
            'Set key to the whole Brand Key, which begins with bk_ or test_: copy it again.'
        )
    return key


def _secret_of(value: Any) -> Optional[bytes]:
    secret = _trimmed('secret', value)
    if secret == '':
        return None
    found = re.fullmatch(
        'whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)', secret
    )
    if not found:
        raise InvalidInputError(
            'Set secret to the whole webhook secret, which begins with whsec_: copy it again.'
        )
    return base64.b64decode(found[1])


def _count_of(name: str, value: Any, example: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidInputError(f'Set {name} to {example}.')
    return value


def _order_of(value: Any, name: str = 'order', what: str = 'your order number') -> str:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not re.fullmatch('[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,200}', text):
        raise InvalidInputError(f'Set {name} to {what}: 1 to 200 characters on one line.')
    return text


def _required_of(name: str, value: Any, what: str) -> str:
    text = _trimmed(name, value)
    if text == '':
        raise InvalidInputError(f'Set {name} to {what}.')
    return text


def _id_of(value: Any) -> str:
    reference = _trimmed('id', value).lower()
    if not re.fullmatch('[0-9a-f]{32}', reference):
        raise InvalidInputError('Set id to the id that create returned: 32 characters of 0-9 and a-f.')
    return reference
