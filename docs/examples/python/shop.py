"""A shop with one product. Start it with: python3 shop.py"""
import json, os, secrets, traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from kashbox import create_payment, is_signed
from orders import fulfil, load_order, save_order


class Shop(BaseHTTPRequestHandler):
    timeout = 10

    def respond(self):
        """Returns status and body of the answer, and for a redirect its address."""
        url = urlsplit(self.path)
        body = self.rfile.read(min(int(self.headers.get('Content-Length', 0)), 65_536))
        request = f'{self.command} {url.path}'
        if request == 'GET /':
            return 200, '<form method="post" action="/buy"><button>Buy for 500 taka</button></form>', None
        if request == 'POST /buy':
            order = {'id': secrets.token_hex(16), 'amount': '500.00'}
            address = create_payment(order)
            save_order({**order, 'reference': address.split('/')[-1]})
            return 303, '', address
        if request == 'GET /paid':
            order = load_order(parse_qs(url.query).get('order', [''])[0])  # do not trust the other parameters
            if order is None:
                return 404, 'There is no such order.', None
            text = 'Thank you, your order is paid.' if fulfil(order) else 'We wait for your payment.'
            return 200, text, None
        if request == 'GET /cancelled':
            return 200, 'You cancelled the payment. <a href="/">Try again</a>', None

        if request == 'POST /kashbox':
            if not is_signed(self.headers, body):
                return 401, '', None
            event = json.loads(body)
            order = load_order((event.get('meta_data') or {}).get('order'))
            if event['event'] != 'payment.completed' or order is None:
                return 200, '', None
            return 200 if fulfil(order) else 500, '', None  # Kashbox repeats it after anything but 200
        return 404, 'There is nothing at this address.', None

    def do_GET(self):
        try:
            status, html, location = self.respond()
        except Exception:
            traceback.print_exc()
            status, html, location = 503, 'Please reload this page in a minute.', None
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        if location:
            self.send_header('Location', location)
        self.end_headers()
        self.wfile.write(html.encode())

    do_POST = do_GET


ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT', 8000))), Shop).serve_forever()
