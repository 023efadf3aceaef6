/**
 * The other side of the notifications' ratio: a bare loop over got, as somebody would write it who only wants
 * the bodies out. Its arguments are the addresses (JSON), a body and how many are under way at once; it posts
 * as many as its parent says, and says when it is done.
 */
import got from 'got';

const [, , list = '[]', body = '', concurrency = '1'] = process.argv;
const urls = JSON.parse(list) as string[];

process.on('message', async (count: number) => {
  let next = 0;
  const lane = async () => {
    for (let at = next++; at < count; at = next++) {
      const headers = { 'content-type': 'application/json', 'webhook-id': `bare_${at}` };
      await got.post(urls[at % urls.length] ?? '', { body, headers });
    }
  };
  await Promise.all(Array.from({ length: Number(concurrency) }, lane));
  process.send?.('done');
});
process.on('disconnect', () => process.exit(0));
process.stdout.write('ready\n');
