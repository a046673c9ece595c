import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../context/env.ts';
import { inOrder, type Step } from '../middleware/in-order.ts';
import type { MountedOperation } from './mounted-operations.ts';

/** Whether a part of the pipeline is about an operation; requests of the others do not pass it. */
export type IsAbout = (one: MountedOperation) => boolean;

/** The pipeline of each operation, in the order in which its parts are added. */
export type Pipeline = {
  /** Adds a step before the handlers. */
  readonly before: (isAbout: IsAbout, step: Step) => void;
  /** Adds a middleware, which sees the response too. */
  readonly around: (isAbout: IsAbout, middleware: MiddlewareHandler<Env>) => void;
  /** Mounts all parts, above the handlers that are mounted later. */
  readonly mount: (app: OpenAPIHono<Env>) => void;
};

/**
 * Creates the pipeline of operations. The steps of an operation between two of its middleware are mounted as one middleware.
 *
 * @example pipeline.before(isKeyed, subscriptionKey(checkKey)); pipeline.around(isKeyed, rateLimit(admitRequest)); pipeline.mount(app);
 */
export const createPipeline = (operations: readonly MountedOperation[]): Pipeline => {
  const all = operations.map((one) => ({
    one,
    steps: new Array<Step>(),
    middleware: new Array<MiddlewareHandler<Env>>(),
  }));
  const joinSteps = ({ steps, middleware }: (typeof all)[number]): void => {
    if (steps.length > 0) middleware.push(inOrder(...steps.splice(0)));
  };
  return {
    before: (isAbout, step) => {
      for (const { one, steps } of all) if (isAbout(one)) steps.push(step);
    },
    around: (isAbout, middleware) => {
      for (const part of all.filter(({ one }) => isAbout(one))) {
        joinSteps(part);
        part.middleware.push(middleware);
      }
    },
    mount: (app) => {
      for (const part of all) {
        joinSteps(part);
        for (const each of part.middleware) app.on(part.one.method, part.one.path, each);
      }
    },
  };
};
