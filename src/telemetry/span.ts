import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** What is told of a span. Names are those of the semantic conventions of OpenTelemetry. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'internal' | 'server' | 'client';

/** Something that took time, and what it was part of. */
export type Span = {
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  /** Unix time, nanoseconds. */
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  readonly attributes: Attributes;
  /** Why it failed, in a word; undefined when it did not. */
  readonly error: string | undefined;
};

/** A trace as far as it is ours: the first span, and those within it. */
export type Trace = { readonly traceId: string; readonly spans: readonly Span[] };

/** A span that has not ended. The trace it belongs to is known only in the end: the front is who makes ids of requests. */
export type OpenSpan = {
  /** Adds to what is told of it. */
  readonly tell: (facts: { readonly name?: string; readonly attributes?: Attributes; readonly error?: string }) => void;
  /** Begins one within it. */
  readonly begin: (name: string, kind: SpanKind, attributes?: Attributes) => OpenSpan;
  /** Says which trace it and all spans with it belong to; by default one of their own. */
  readonly belongTo: (traceId: string) => void;
  readonly end: () => void;
};

/** More spans of one trace say no more: a load makes a hundred thousand statements. */
const MOST_SPANS = 200;

/** The clock of spans never steps back, and all spans of a process have the same. */
const now = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;

const newSpanId = (): string => randomBytes(8).toString('hex');

const current = new AsyncLocalStorage<OpenSpan>();

/** The span within which this runs; undefined where nothing is traced. */
export const currentSpan = (): OpenSpan | undefined => current.getStore();

/** Runs work within a span: spans that it begins are part of it. */
export const runWithin = <T>(span: OpenSpan, work: () => T): T => current.run(span, work);

export type RootOptions = {
  readonly name: string;
  readonly kind: SpanKind;
  /** The span of the caller. */
  readonly parentId?: string | undefined;
  /** Hears of the whole trace once the first span has ended. */
  readonly onEnd: (trace: Trace) => void;
};

/** Begins the first span of ours of a trace. Spans within it that end later are not told. */
export const beginTrace = ({ name: rootName, kind: rootKind, parentId: callerId, onEnd }: RootOptions): OpenSpan => {
  const spans: Span[] = [];
  let begun = 0;
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
    const [spanId, startedAt] = [newSpanId(), now()];
    let [name, attributes, error, isEnded] = [firstName, given, undefined as string | undefined, false];
    begun += 1;
    return {
      tell: (facts) => {
        name = facts.name ?? name;
        attributes = { ...attributes, ...facts.attributes };
        error = facts.error ?? error;
      },
      begin: (childName, childKind, childAttributes = {}) =>
        open({ name: childName, kind: childKind, parentId: spanId }, childAttributes, () => {}),
      end: () => {
        if (isEnded) return;
        isEnded = true;
        if (spans.length < MOST_SPANS || parentId === callerId)
          spans.push({ spanId, parentId, kind, name, startedAt, endedAt: now(), attributes, error });
        onEnded();
      },
      belongTo: (id) => {
        traceId = id;
      },
    };
  };
  return open({ name: rootName, kind: rootKind, parentId: callerId }, {}, () => {
    const [own] = spans.slice(-1);
    const leftOut = begun - spans.length;
    if (own && leftOut > 0)
      spans[spans.length - 1] = { ...own, attributes: { ...own.attributes, 'flightdata.spans_left_out': leftOut } };
    onEnd({ traceId: traceId ?? randomBytes(16).toString('hex'), spans });
  });
};
