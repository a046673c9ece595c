import { context, propagation, trace } from '@opentelemetry/api';
import { withTimeout } from '../lib/with-timeout.ts';
import { createCounter, type Observe } from './metric.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Limit of waiting spans; further ones are dropped, so that an unreachable collector does not exhaust memory. */
const MAX_WAITING_SPANS = 4096;

/** Limit of a text in an attribute; query texts can be long. */
const MAX_TEXT_CHARACTERS = 1000;

/** The counter of the SDK for spans that its batches have sent, or dropped with the attribute `error.type`. */
const PROCESSED_SPANS = 'otel.sdk.processor.span.processed';

const loadSdk = async () => ({
  ...(await import('@opentelemetry/context-async-hooks')),
  ...(await import('@opentelemetry/core')),
  ...(await import('@opentelemetry/exporter-trace-otlp-http')),
  ...(await import('@opentelemetry/resources')),
  ...(await import('@opentelemetry/sdk-metrics')),
  ...(await import('@opentelemetry/sdk-trace')),
});

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

const createSampler = (sdk: Sdk, { sampler, ratio }: TracingOptions) => {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } = sdk;
  const ratioOrOn = sampler.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
  const root = sampler.endsWith('always_off') ? new AlwaysOffSampler() : ratioOrOn;
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
};

/** Reads the service name and the resource attributes from the environment. */
const createResource = (sdk: Sdk) => {
  const { defaultResource, detectResources, resourceFromAttributes } = sdk;
  const detectors = [sdk.resourceAttributesEnvDetector, sdk.serviceNameEnvDetector];
  const named = defaultResource().merge(resourceFromAttributes({ 'service.name': 'flightdata' }));
  return named.merge(detectResources({ detectors }));
};

/** Creates the metrics provider that counts spans, and a function that reads the counts. */
const createSpanCounts = ({ MeterProvider, MetricReader, DataPointType }: Sdk) => {
  class SpanCountReader extends MetricReader {
    protected override async onShutdown(): Promise<void> {}
    protected override async onForceFlush(): Promise<void> {}
  }
  const reader = new SpanCountReader();
  const observe: Observe = async () => {
    const { resourceMetrics } = await reader.collect();
    const points = resourceMetrics.scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .flatMap((one) =>
        one.dataPointType === DataPointType.SUM && one.descriptor.name === PROCESSED_SPANS ? one.dataPoints : [],
      );
    const sum = (wasSent: boolean): number =>
      points
        .filter(({ attributes }) => (attributes['error.type'] === undefined) === wasSent)
        .reduce((total, { value }) => total + value, 0);
    return [
      createCounter('flightdata_spans_sent_total', 'Spans accepted by the trace collector', sum(true)),
      createCounter(
        'flightdata_spans_dropped_total',
        'Spans that could not be sent to the trace collector',
        sum(false),
      ),
    ];
  };
  return { meterProvider: new MeterProvider({ readers: [reader] }), observe };
};

/**
 * Loads the OpenTelemetry SDK and registers it: the tracers of `@opentelemetry/api` then send their spans to the collector. `onError` is called for
 * each batch that is lost. `close` sends the remaining spans within one time-out.
 */
export const startTracingSdk = async (
  options: TracingOptions,
  onError: (error: unknown) => void,
): Promise<{ readonly observe: Observe; readonly close: () => Promise<void> }> => {
  const sdk = await loadSdk();
  const { url, delayMs, timeoutMs } = options;
  // The response of a collector may repeat a header: it is no part of the message.
  const reportError = (cause: unknown): void => onError(new Error('cannot send traces to the collector', { cause }));
  const { meterProvider, observe } = createSpanCounts(sdk);
  const exporter = new sdk.OTLPTraceExporter({ url, timeoutMillis: timeoutMs });
  const batches = new sdk.BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: timeoutMs,
    maxQueueSize: MAX_WAITING_SPANS,
    selfObsMeterProvider: meterProvider,
  });
  const provider = new sdk.TracerProvider({
    resource: createResource(sdk),
    sampler: createSampler(sdk, options),
    spanLimits: { attributeValueLengthLimit: MAX_TEXT_CHARACTERS },
    spanProcessors: [batches],
  });
  sdk.setGlobalErrorHandler(reportError);
  context.setGlobalContextManager(new sdk.AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new sdk.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    observe,
    close: async () => {
      for (const api of [trace, context, propagation]) api.disable();
      // The provider ends with the first batch that fails, the exporter with the last one.
      const flush = async (): Promise<void> => {
        await provider.shutdown().catch(reportError);
        await exporter.shutdown();
      };
      await withTimeout(timeoutMs, flush());
    },
  };
};
