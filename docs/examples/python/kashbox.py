"""Client of the Kashbox API: create a payment, verify it, check a webhook. Python 3.9+, no package."""
import base64, hashlib, hmac, json, os, re, ssl, time
from decimal import Decimal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

KASHBOX_URL = os.environ['KASHBOX_URL']
BRAND_KEY = os.environ['BRAND_KEY']
SHOP_URL = os.environ['SHOP_URL']
SECRET = base64.b64decode(os.environ['WEBHOOK_SECRET'].replace('whsec_', ''))
if not SECRET:
    raise SystemExit('WEBHOOK_SECRET is empty')
# KASHBOX_CA is only for a self-signed certificate: the daemon's tls/cert.pem.
TLS = ssl.create_default_context(cafile=os.environ.get('KASHBOX_CA'))


def call_kashbox(path, fields, headers={}):
    """Returns the JSON answer; raises if it is a refusal."""
    all_headers = {'BRAND-KEY': BRAND_KEY, 'Content-Type': 'application/json', **headers}
    request = Request(f'{KASHBOX_URL}/api/payment/{path}', json.dumps(fields).encode(), all_headers)
    try:
        with urlopen(request, timeout=10, context=TLS) as response:
            answer = json.load(response)
    except HTTPError as refusal:  # the body of a 4xx answer has the reason
        raise RuntimeError(f'Kashbox: {refusal.code} {refusal.read().decode()}') from None
    if answer['status'] is not True:
        raise RuntimeError(f"Kashbox: {answer.get('message')}")
    return answer


def create_payment(order):
    """Returns the address of the payment page; the part after its last slash is the session reference."""
    fields = {
        'amount': order['amount'],
        'success_url': f"{SHOP_URL}/paid?order={order['id']}",
        'cancel_url': f'{SHOP_URL}/cancelled',
        'meta_data': {'order': order['id']},
    }
    return call_kashbox('create', fields, {'Idempotency-Key': order['id']})['payment_url']


def is_paid(order):
    """True only if the payment of this order is completed, and of its full amount."""
    data = call_kashbox('verify', {'transaction_id': order['reference']})['data']
    if data['status'] != 'COMPLETED' or (data['meta_data'] or {}).get('order') != order['id']:
        return False
    return Decimal(data['amount']) == Decimal(order['amount'])  # never compare money as float


def is_signed(headers, body):
    """Checks the Standard Webhooks signature of the raw body."""
    at = headers.get('webhook-timestamp', '')
    if not re.fullmatch('[0-9]{1,12}', at) or abs(time.time() - int(at)) > 300:
        return False
    signed = f"{headers.get('webhook-id', '')}.{at}.".encode() + body
    mine = b'v1,' + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest())
    theirs = headers.get('webhook-signature', '').encode().split(b' ')  # two while the secret is rotated
    return any([hmac.compare_digest(mine, one) for one in theirs])
