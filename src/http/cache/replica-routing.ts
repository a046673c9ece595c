import type { App } from '../router/router.ts';
import { Problem } from '../response/problem.ts';
import type { RequestContext } from '../request/request-context.ts';

/** An app that answers from a copy of the store. */
export type ReplicaApp = {
  readonly app: App;
  /** Whether it shows by now all that the store itself does. */
  readonly isUpToDate: () => Promise<boolean>;
  readonly hasFailed: (error: unknown) => void;
};

/**
 * Has replicas answer what only reads, in turn; the app itself answers where the one whose turn it is shows less than the store by then, or fails.
 * So an answer never depends on who gave it.
 */
export const fromReplicas = (
  replicas: readonly ReplicaApp[],
  isRead: (context: RequestContext) => boolean,
): ((app: App) => App) => {
  let turn = 0;
  return (app) => {
    if (replicas.length === 0) return app;
    const askReplica = async (replica: ReplicaApp, ...asked: Parameters<App>): Promise<Response> => {
      if (!(await replica.isUpToDate())) return app(...asked);
      try {
        return await replica.app(...asked);
      } catch (error) {
        if (error instanceof Problem) throw error;
        replica.hasFailed(error);
        return app(...asked);
      }
    };
    return (request, context) => {
      const replica = replicas[turn++ % replicas.length];
      if (!replica || !['GET', 'HEAD'].includes(request.method) || !isRead(context)) return app(request, context);
      return askReplica(replica, request, context);
    };
  };
};
