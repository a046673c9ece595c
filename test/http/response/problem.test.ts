import { expect, test } from 'vitest';
import { invalidParameters, problemKinds, Problem, renderProblem } from '#http/response/problem.ts';
import { createApiOf, serve } from '../tiny-service.ts';

test.each(Object.entries(problemKinds))(
  '%s has an error status and a title without a full stop',
  (_kind, { status, title }) => {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  },
);

test('a problem never shows its cause', () => {
  const problem = new Problem('internal', 'It failed.', { cause: new Error('hunter2') });
  expect(renderProblem(problem, { path: '/x', traceId: 'id' }).toString()).toBe(
    '{"type":"/docs/errors#internal","title":"Internal error","status":500,"detail":"It failed.","statusCode":500,"message":"It failed.","instance":"/x","traceId":"id"}',
  );
});

test('Content-Length counts bytes', async () => {
  const api = createApiOf(() => {
    throw new Problem('not-found', 'Kein Flug nach Zürich.');
  });
  const response = await serve({ api }).send('/flight-instances');
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(await response.text())));
});

test.each([
  ['/flight-instances', '/flight-instances'],
  ['//evil.test/x', '/evil.test/x'],
  ['/%zz%41', '/%25zz%41'],
  ['/a|b"c^[d]', '/a%7Cb%22c%5E%5Bd%5D'],
  ['/é\n', '/%c3%a9%0a'],
  [`/${'x'.repeat(5000)}`, `/${'x'.repeat(2047)}`],
])('the path of a problem is a URI reference %s: %s', (path, instance) => {
  const { instance: shown } = JSON.parse(
    renderProblem(new Problem('unknown-path', 'No.'), { path, traceId: 'id' }).toString(),
  );
  expect(String(shown).toLowerCase()).toBe(instance.toLowerCase());
});

test('several parameter errors are summarized by the first', () => {
  expect(invalidParameters({ Limit: ['must be at most 1000, not 5000'], '': ['give a or b'] }).message).toBe(
    'Limit must be at most 1000, not 5000. There is 1 more error; see errors.',
  );
});

test('errors about several parameters have no name', () => {
  expect(invalidParameters({ '': ['give a or b'] }).message).toBe('give a or b.');
});
