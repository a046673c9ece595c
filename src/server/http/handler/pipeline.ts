import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../context/env.ts';
import { inOrder, type Step } from '../middleware/in-order.ts';
import type { MountedOperation } from './mounted-operations.ts';

/** Whether a part of the pipeline is about an operation; requests of the others do not pass it. */
export type IsAbout = (one: MountedOperation) => boolean;

/** The parts of the pipeline of each operation, in the order in which they are added. */
export type Pipeline = {
  /** Adds a step before the handlers. */
  readonly before: (isAbout: IsAbout, step: Step) => void;
  /** Adds a middleware, which sees the response too. */
  readonly around: (isAbout: IsAbout, middleware: MiddlewareHandler<Env>) => void;
  /** Mounts the last steps; call it before the handlers are mounted. */
  readonly end: () => void;
};

/**
 * Creates the pipeline of operations. The steps of an operation between two of its middleware are mounted as one middleware.
 *
 * @example pipeline.before(isKeyed, subscriptionKey(checkKey)); pipeline.around(isKeyed, rateLimit(admitRequest)); pipeline.end();
 */
export const createPipeline = (app: OpenAPIHono<Env>, operations: readonly MountedOperation[]): Pipeline => {
  const waiting = new Map<MountedOperation, Step[]>(operations.map((one) => [one, []]));
  const mount = (one: MountedOperation, ...middleware: readonly MiddlewareHandler<Env>[]): void => {
    const steps = waiting.get(one)?.splice(0) ?? [];
    const all = steps.length === 0 ? middleware : [inOrder(...steps), ...middleware];
    for (const each of all) app.on(one.method, one.path, each);
  };
  return {
    before: (isAbout, step) => {
      for (const [one, steps] of waiting) if (isAbout(one)) steps.push(step);
    },
    around: (isAbout, middleware) => {
      for (const one of operations.filter(isAbout)) mount(one, middleware);
    },
    end: () => {
      for (const one of operations) mount(one);
    },
  };
};
