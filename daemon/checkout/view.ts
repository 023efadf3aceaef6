/** The words and markup of the hosted checkout: from a page's facts to its HTML. Knows no request. */
import { formatTaka } from '../../src/base/money.js';
import { STYLE } from './assets.js';
import type { CheckoutPage, NoticePage, ReturnWay } from './page.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

/** @returns a whole HTML document. */
export function renderCheckout(page: CheckoutPage): string {
  const { checkout, problem } = page;
  const goesOn = page.isFresh && page.back.method === 'GET';
  const refresh = goesOn ? `<meta http-equiv="refresh" content="3;url=${escape(page.back.url)}">` : '';
  const isPayable = checkout.state === 'open' || checkout.state === 'waiting' || page.isLate;
  const fault = problem === null ? '' : `<p role="alert">${escape(problem.kind)}</p>`;
  const typed = problem === null ? '' : escape(problem.typed);
  const forms = isPayable
    ? checkout.methods.map((method) => {
        const isBank = method.channel === 'bank';
        const field = isBank ? 'reference' : 'transaction_id';
        const slip = isBank ? '<input type="file" name="slip">' : '';
        const type = isBank ? ' enctype="multipart/form-data"' : '';
        const action = `${escape(page.path)}/${isBank ? 'bank' : 'claim'}`;
        return `<form method="post" action="${action}"${type}><h2>${escape(method.channel)}</h2>
${method.accounts.map((account) => `<p>${escape(account.number)}</p>`).join('')}
<input type="hidden" name="token" value="${escape(page.token)}">
<input type="hidden" name="method" value="${escape(method.channel)}">
<textarea name="${field}">${problem?.channel === method.channel ? typed : ''}</textarea>${slip}
<button>OK</button></form>`;
      })
    : [];
  const cancel = isPayable
    ? `<form method="post" action="${escape(page.path)}/cancel">
<input type="hidden" name="token" value="${escape(page.token)}"><button>Cancel</button></form>`
    : '';
  const claimed = page.isPayer ? escape(checkout.claim?.reference ?? '') : '';
  return documentOf(
    page.language,
    `${refresh}<script src="${escape(page.scriptPath)}" defer></script>`,
    `<h1>${escape(checkout.brand.name)}</h1><p>৳ ${formatTaka(checkout.amountPaisa)}</p>
<p data-state="${checkout.state}">${checkout.state} ${claimed}</p>${fault}${forms.join('')}${cancel}${
      isPayable ? '' : backOf(page.back)
    }`,
  );
}

function backOf(back: ReturnWay): string {
  if (back.method === 'GET') return `<a href="${escape(back.url)}">Back</a>`;
  const fields = back.parameters.map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  return `<form method="post" action="${escape(back.url)}">${fields.join('')}<button>Back</button></form>`;
}

/** @returns a whole HTML document. */
export function renderNotice(page: NoticePage): string {
  const again = page.retryPath === null ? '' : `<a href="${escape(page.retryPath)}">Try again</a>`;
  return documentOf(page.language, '', `<h1>${page.notice}</h1>${again}`);
}

function documentOf(language: string, head: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Payment</title>
<style>${STYLE}</style>${head}</head><body><main>${body}</main></body></html>`;
}
