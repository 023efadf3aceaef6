/** Style, script and markup of the reference page. */

/** Inlined, and allowed by its hash. On wide screens the list of operations is next to them. */
export const STYLE = `
:root { --ink: #16202b; --soft: #52606d; --line: #d5dbe1; --paper: #fff; --ground: #eef1f4; --main: #00644b }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 12px }
body { margin: 0 auto; padding: 0 14px 48px; max-width: 860px; color: var(--ink); background: var(--ground);
  font: 16px / 1.5 system-ui, -apple-system, Roboto, sans-serif; overflow-wrap: anywhere }
h1 { margin: 24px 0 8px; font-size: 1.7rem }
h2 { margin: 40px 0 8px; font-size: 1.35rem }
h3 { margin: 0; font-size: 1.1rem }
h4 { margin: 18px 0 6px; font-size: 1rem }
p { margin: 8px 0 }
a { color: var(--main) }
:focus-visible { outline: 3px solid #1a6fd4; outline-offset: 2px }
code, pre { font: 0.9em / 1.5 ui-monospace, Menlo, Consolas, monospace }
pre { margin: 6px 0; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--ground); white-space: pre-wrap }
nav ul { margin: 4px 0 12px; padding: 0; list-style: none }
nav a { display: block; padding: 6px 0; line-height: 1.35; text-decoration: none }
nav a:hover { text-decoration: underline }
article { margin: 16px 0; padding: 16px; border: 1px solid var(--line); border-radius: 12px;
  background: var(--paper) }
.method { display: inline-block; min-width: 3.4em; font-weight: 700; color: var(--main) }
.soft { color: var(--soft) }
nav small { display: block; color: var(--soft) }
summary { padding: 12px 0 6px; font-weight: 700; cursor: pointer }
article > details > summary { padding: 0; font-weight: 400 }
summary h3 { display: inline }
summary h3 + code { display: block; margin-top: 4px }
.sample { position: relative }
.sample button { position: absolute; top: 6px; right: 6px; padding: 6px 12px; border: 1px solid var(--line);
  border-radius: 6px; font: inherit; font-size: 0.85rem; color: var(--ink); background: var(--paper);
  cursor: pointer }
.sample button + pre { padding-top: 48px }
dl { margin: 0 }
dl > div { padding: 8px 0; border-top: 1px solid var(--line) }
dt code { font-weight: 700 }
dd { margin: 2px 0 0 }
dd + dd { color: var(--soft) }
@media (min-width: 1000px) {
  body { display: grid; grid-template-columns: 270px minmax(0, 1fr); gap: 0 32px; align-items: start;
    max-width: 1160px }
  header { grid-column: 1 / -1 }
  nav { position: sticky; top: 0; max-height: 100vh; padding-top: 12px; overflow-y: auto }
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceff2; --soft: #b0bac4; --line: #3a4651; --paper: #1b232b; --ground: #11171d;
    --main: #6fd3b1 }
}
`;

/** Inlined, and allowed by its hash: opens the operation that an address names, and copies samples. */
export const SCRIPT = `
function unfold() {
  const named = document.getElementById(location.hash.slice(1));
  const details = named && named.querySelector('details');
  if (details) details.open = true;
}
addEventListener('hashchange', unfold);
unfold();
for (const sample of navigator.clipboard ? document.querySelectorAll('.sample') : []) {
  const button = document.createElement('button');
  const text = sample.querySelector('pre');
  const say = (word) => {
    button.textContent = word;
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  };
  button.type = 'button';
  button.textContent = 'Copy';
  button.onclick = () => navigator.clipboard.writeText(text.textContent).then(
    () => say('Copied'),
    () => { getSelection().selectAllChildren(text); say('Press Ctrl+C'); },
  );
  sample.prepend(button);
}
`;

/** Escapes what it prints, but for style, script and what `inline` and `paragraphs` have escaped already. */

export const TEMPLATE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title><%= it.info.title %></title>
<style><%~ it.style %></style>
</head>
<body>
<% const list = (rows) => { %>
<dl>
<% for (const row of rows) { %>
<div>
<dt><code><%= row.name %></code> <span class="soft"><%= row.note ?? '' %></span></dt>
<% if (row.text) { %><dd><%~ it.inline(row.text) %></dd><% } %>
<% if (row.details) { %><dd><%~ it.inline(row.details) %></dd><% } %>
</div>
<% } %>
</dl>
<% } %>
<header>
<h1><%= it.info.title %></h1>
<%~ it.paragraphs(it.info.description) %>
<p>For programs: <a href="openapi.json">openapi.json</a></p>
</header>
<nav aria-label="Operations">
<% for (const tag of it.tags) { %>
<p><b><%= tag.name %></b></p>
<ul>
<% for (const item of tag.sections) { %>
<li><a href="#<%= item.id %>"><%= item.summary %> <small><code><%= item.method %> <%= item.path %></code></small></a></li>
<% } %>
</ul>
<% } %>
</nav>
<main>
<h2>Authentication</h2>
<article><% list(it.keys) %></article>
<% for (const tag of it.tags) { %>
<h2><%= tag.name %></h2>
<%~ it.paragraphs(tag.description) %>
<% for (const item of tag.sections) { %>
<article id="<%= item.id %>">
<details>
<summary><h3><%= item.summary %></h3> <code><span class="method"><%= item.method %></span> <%= item.path %></code></summary>
<%~ it.paragraphs(item.description) %>
<p class="soft">Authentication: <%~ it.inline(item.keys) %></p>
<% if (item.parameters.length > 0) { %>
<h4>Parameters</h4>
<% list(item.parameters) %>
<% } %>
<h4>Request</h4>
<% item.samples.forEach(({ language, text }, at) => { %>
<details<% if (at === 0) { %> open<% } %>>
<summary><%= language %></summary>
<div class="sample"><pre><code><%= text %></code></pre></div>
</details>
<% }) %>
<h4>Responses</h4>
<% for (const answer of item.answers) { %>
<p><b><%= answer.status %></b> <%~ it.inline(answer.description) %></p>
<% if (answer.fields.length > 0) { %>
<details>
<summary>Fields</summary>
<% answer.fields.forEach((rows, at) => { %>
<% if (at > 0) { %><p>or</p><% } %>
<% list(rows) %>
<% }) %>
</details>
<% } %>
<% for (const [, { value }] of answer.examples) { %>
<pre><code><%= JSON.stringify(value, null, 2) %></code></pre>
<% } %>
<% } %>
<% if (item.refusals.length > 0) { %>
<details>
<summary>Errors</summary>
<% list(item.refusals) %>
</details>
<% } %>
</details>
</article>
<% } %>
<% } %>
</main>
<script><%~ it.script %></script>
</body>
</html>
`;
