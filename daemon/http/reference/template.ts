/**
 * The markup of the reference page. It escapes what it prints; what `inline` and `paragraphs` make, which is
 * escaped already, and the style stand as they are.
 */

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
<dt><code><%= row.name %></code> <span class="soft"><%= row.note %></span></dt>
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
<li><a href="#<%= item.id %>"><code><span class="method"><%= item.method %></span> <%= item.path %></code></a></li>
<% } %>
</ul>
<% } %>
</nav>
<main>
<h2>Keys</h2>
<article><% list(it.keys) %></article>
<% for (const tag of it.tags) { %>
<h2><%= tag.name %></h2>
<%~ it.paragraphs(tag.description) %>
<% for (const item of tag.sections) { %>
<article id="<%= item.id %>">
<h3><code><span class="method"><%= item.method %></span> <%= item.path %></code></h3>
<p><b><%= item.summary %></b></p>
<%~ it.paragraphs(item.description) %>
<p class="soft"><%~ it.inline(item.keys) %></p>
<% if (item.parameters.length > 0) { %>
<h4>Parameters</h4>
<% list(item.parameters) %>
<% } %>
<h4>Request</h4>
<pre><code><%= item.call %></code></pre>
<h4>Answers</h4>
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
<% for (const text of answer.examples) { %>
<pre><code><%= text %></code></pre>
<% } %>
<% } %>
<% if (item.refusals.length > 0) { %>
<details>
<summary>Refusals</summary>
<% list(item.refusals) %>
</details>
<% } %>
</article>
<% } %>
<% } %>
</main>
</body>
</html>
`;
