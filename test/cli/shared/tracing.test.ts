import { afterAll, expect, test } from 'vitest';
import { runTraced, traceDeliveries } from '#cli/shared/tracing.ts';
import {
  createPlainEndpoint,
  createTestDeliverer,
  respondOk,
  sampleEvent,
  startPlainReceiver,
} from '#test/delivery/webhook/receivers.ts';
import { openCollector, openTracingTo } from '#test/support/trace-collector.ts';

const collector = await openCollector();
afterAll(collector.close);

/** Runs work while spans are sent to the collector; returns them. */
const collect = async (work: () => Promise<unknown>) => {
  const tracing = await openTracingTo(collector.url);
  await work();
  await tracing.close();
  expect([...collector.faults, ...tracing.errors]).toEqual([]);
  return collector.spans
    .splice(0)
    .map(({ name, kind, parentSpanId, attributes, status }) => ({ name, kind, parentSpanId, attributes, status }));
};

test('a delivery is a trace of its own, with the host of the receiver and without its path', async () => {
  const receiver = await startPlainReceiver(respondOk);
  const deliverer = createTestDeliverer();
  const endpoint = createPlainEndpoint(receiver);
  const attributes = { 'http.request.method': 'POST', 'server.address': new URL(endpoint.url).hostname };
  const deliver = () => traceDeliveries(deliverer).deliver(endpoint, sampleEvent);
  expect(await collect(() => runTraced('job', deliver))).toEqual([
    {
      name: 'POST',
      kind: 3,
      parentSpanId: undefined,
      attributes: { ...attributes, 'http.response.status_code': 200 },
      status: { code: 0 },
    },
    { name: 'job', kind: 1, parentSpanId: undefined, attributes: {}, status: { code: 0 } },
  ]);
  await receiver.close();
  expect(await collect(deliver)).toMatchObject([
    { name: 'POST', attributes, status: { code: 2, message: 'connect-refused' } },
  ]);
  deliverer.close();
});

test('work that fails is an error of its span, without the text of the error', async () => {
  const fail = () => runTraced('job', () => Promise.reject(new RangeError('secret'))).catch(() => {});
  expect(await collect(fail)).toMatchObject([{ name: 'job', status: { code: 2, message: 'RangeError' } }]);
});
