import { expect, test } from 'vitest';
import { selectMediaType } from '../../../src/http/response/content-negotiation.ts';

const [json, events] = ['application/json', 'text/event-stream'];

test.each([
  [null, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/*', true],
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['application/problem+json, application/json;q=0.1', true],
  ['text/html', false],
  ['application/problem+json', false],
  ['application/json;q=0', false],
  ['application/json;q=0, */*', false],
  ['*/*;q=0', false],
  ['*/*;q=0, application/json', true],
  ['application/*;q=0, */*;q=1', false],
  ['application/json;q=nonsense', true],
  ['application/json;q=0, application/json;charset=utf-8', true],
])('Accept: %s accepts JSON: %s', (accept, isAccepted) => {
  expect(selectMediaType(accept, [json])).toBe(isAccepted ? json : undefined);
});

test.each([
  [null, json],
  ['', json],
  ['*/*', json],
  [events, events],
  ['Text/Event-Stream; charset=utf-8', events],
  ['text/*', events],
  ['text/event-stream, */*', events],
  ['*/*, text/event-stream', events],
  ['text/event-stream, application/json', events],
  ['application/json, text/event-stream', json],
  ['application/json;q=0.5, text/event-stream;q=0.6', events],
  ['application/json, text/event-stream;q=0.9', json],
  ['text/event-stream;q=0, */*', json],
  ['application/*, text/*', json],
  ['text/html', undefined],
  ['*/*;q=0', undefined],
])('Accept: %s prefers %s', (accept, liked) => {
  expect(selectMediaType(accept, [json, events])).toBe(liked);
});
