import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Attributes of a span. Names follow the semantic conventions of OpenTelemetry. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'server' | 'client';

/** A timed operation of a trace. */
export type Span = {
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  /** Unix time, nanoseconds. */
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly attributes: Attributes;
  /** Short reason of a failure; undefined when it succeeded. */
  readonly error: string | undefined;
};

/** The local part of a trace: the first span and its descendants. */
export type Trace = { readonly traceId: string; readonly spans: readonly Span[] };

/** A span in progress. The trace ID is set at the end, because the router assigns request IDs. */
export type OpenSpan = {
  /** Adds attributes, or changes name and error. */
  readonly update: (facts: {
    readonly name?: string;
    readonly attributes?: Attributes;
    readonly error?: string;
  }) => void;
  /** Starts a child span. */
  readonly startChild: (name: string, kind: SpanKind, attributes?: Attributes) => OpenSpan;
  /** Sets the trace ID of this span and all others of its trace; random by default. */
  readonly setTraceId: (traceId: string) => void;
  readonly end: () => void;
};

/** Limit of spans in a trace: a load executes a hundred thousand statements. */
const MAX_SPANS = 200;

/** Monotonic clock that all spans of a process share, Unix nanoseconds. */
const now = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;

const createSpanId = (): string => randomBytes(8).toString('hex');

const current = new AsyncLocalStorage<OpenSpan>();

/** Returns the current span; undefined when nothing is traced. */
export const currentSpan = (): OpenSpan | undefined => current.getStore();

/** Runs work within a span: spans started by it become children. */
export const runWithin = <T>(span: OpenSpan, work: () => T): T => current.run(span, work);

export type RootOptions = {
  readonly name: string;
  readonly kind: SpanKind;
  /** Span ID of the caller. */
  readonly parentId?: string | undefined;
  /** Called with the whole trace when the first span has ended. */
  readonly onEnd: (trace: Trace) => void;
};

/** Starts the first local span of a trace. Child spans that end after it are not reported. */
export const startTrace = ({ name: rootName, kind: rootKind, parentId: callerId, onEnd }: RootOptions): OpenSpan => {
  const spans: Span[] = [];
  let started = 0;
  let traceId: string | undefined;
  const open = (
    {
      name: firstName,
      kind,
      parentId,
    }: { readonly name: string; readonly kind: SpanKind; readonly parentId: string | undefined },
    given: Attributes,
    onEnded: () => void,
  ): OpenSpan => {
    const [spanId, startedAt] = [createSpanId(), now()];
    let [name, attributes, error, isEnded] = [firstName, given, undefined as string | undefined, false];
    started += 1;
    return {
      update: (facts) => {
        name = facts.name ?? name;
        attributes = { ...attributes, ...facts.attributes };
        error = facts.error ?? error;
      },
      startChild: (childName, childKind, childAttributes = {}) =>
        open({ name: childName, kind: childKind, parentId: spanId }, childAttributes, () => {}),
      end: () => {
        if (isEnded) return;
        isEnded = true;
        if (spans.length < MAX_SPANS || parentId === callerId)
          spans.push({ spanId, parentId, kind, name, startedAt, endedAt: now(), attributes, error });
        onEnded();
      },
      setTraceId: (id) => {
        traceId = id;
      },
    };
  };
  return open({ name: rootName, kind: rootKind, parentId: callerId }, {}, () => {
    const [own] = spans.slice(-1);
    const dropped = started - spans.length;
    if (own && dropped > 0)
      spans[spans.length - 1] = { ...own, attributes: { ...own.attributes, 'flightdata.spans_left_out': dropped } };
    onEnd({ traceId: traceId ?? randomBytes(16).toString('hex'), spans });
  });
};
