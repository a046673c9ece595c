import { expect, test } from 'vitest';
import { renderMarkdown } from '#portal/markdown.ts';

const render = (text: string) => renderMarkdown(text, (href) => href.replace('.md', ''));

test('a page of the portal has a separate title, and an anchor for every heading', () => {
  const { title, html, sections } = render(
    '# The `first` call\n\nCall **once**, then `wait`.\n\n## Wait\n\nA while.\n\n## Wait\n\nAgain.\n',
  );
  expect(title).toBe('The first call');
  expect([...html.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id)).toEqual(['wait', 'wait-1']);
  expect(html).not.toContain('<h1');
  expect(sections).toEqual([
    { id: '', title: 'The first call', text: 'Call once, then wait.' },
    { id: 'wait', title: 'Wait', text: 'A while.' },
    { id: 'wait-1', title: 'Wait', text: 'Again.' },
  ]);
});

test('a page of the portal escapes what looks like HTML in text, code and addresses', () => {
  const { html } = render('<script>alert(1)</script>\n\n`<b>` [x](a.md?"><i>)\n\n```\n<key>\n```\n');
  expect(html).not.toMatch(/<(?:script|b|i|key)>/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain('<pre tabindex="0"><code>&lt;key&gt;\n</code></pre>');
});

test('a page of the portal has no list where a paragraph begins with a status', () => {
  const { html } = render('404. Nothing\nis here.\n\n1. first\n2. second\n');
  expect(html).toBe('<p>404. Nothing\nis here.</p>\n<ol>\n<li>first</li>\n<li>second</li>\n</ol>\n');
});

test('a page of the portal links to pages where the text names files', () => {
  expect(render('[Errors](errors.md#gone)').html).toContain('<a href="errors#gone">Errors</a>');
});
