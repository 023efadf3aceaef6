// A shop with one product. Start it with: node shop.mjs
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createPayment, isSigned } from './kashbox.mjs';
import { fulfil, loadOrder, saveOrder } from './orders.mjs';

/** Returns status and body of the answer, and the address of a redirect. */
async function answer(request) {
  const { pathname, searchParams } = new URL(request.url, 'http://shop');
  switch (`${request.method} ${pathname}`) {
    case 'GET /':
      return [200, '<form method="post" action="/buy"><button>Buy for 500 taka</button></form>'];

    case 'POST /buy': {
      const order = { id: randomBytes(16).toString('hex'), amount: '500.00' };
      const url = await createPayment(order);
      saveOrder({ ...order, reference: url.split('/').pop() });
      return [303, '', { Location: url }];
    }
    case 'GET /paid': {
      const order = loadOrder(searchParams.get('order')); // do not trust the other parameters
      if (order === null) return [404, 'There is no such order.'];
      return [200, (await fulfil(order)) ? 'Thank you, your order is paid.' : 'We wait for your payment.'];
    }
    case 'GET /cancelled':
      return [200, 'You cancelled the payment. <a href="/">Try again</a>'];

    case 'POST /kashbox': {
      if (!(Number(request.headers['content-length']) <= 65_536)) return [413, ''];
      const body = await buffer(request);
      if (!isSigned(request.headers, body)) return [401, ''];
      const { event, meta_data } = JSON.parse(body);
      const order = loadOrder(meta_data?.order);
      if (event !== 'payment.completed' || order === null) return [200, ''];
      return [(await fulfil(order)) ? 200 : 500, '']; // Kashbox repeats it after anything but 200
    }
    default:
      return [404, 'There is nothing at this address.'];
  }
}

createServer(async (request, response) => {
  const [status, html, headers] = await answer(request).catch((error) => {
    console.error(error);
    return [503, 'Please reload this page in a minute.'];
  });
  response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(html);
}).listen(process.env.PORT ?? 8000, '127.0.0.1');
