import type { RequestHandler } from '../handler/api.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { HttpResponse } from '../response/http-response.ts';
import { Problem } from '../response/problem.ts';

/** A handler that reads from a replica of the database. */
export type ReplicaHandler = {
  readonly handle: RequestHandler;
  /** Whether the replica has everything by now that the primary has. */
  readonly isUpToDate: () => Promise<boolean>;
  /** Called with the error of a request that failed on the replica. */
  readonly reportFailure: (error: unknown) => void;
};

/**
 * Returns a wrapper that sends reads to the replicas, round robin. The primary handles a request whose replica has not caught up or
 * fails, so that a response never depends on which database produced it.
 */
export const withReplicas = (
  replicas: readonly ReplicaHandler[],
  isRead: (context: RequestContext) => boolean,
): ((primary: RequestHandler) => RequestHandler) => {
  let next = 0;
  return (primary) => {
    if (replicas.length === 0) return primary;
    const handleOnReplica = async (
      replica: ReplicaHandler,
      ...[request, context]: Parameters<RequestHandler>
    ): Promise<HttpResponse> => {
      if (!(await replica.isUpToDate())) return primary(request, context);
      try {
        return await replica.handle(request, context);
      } catch (error) {
        if (error instanceof Problem) throw error;
        replica.reportFailure(error);
        return primary(request, context);
      }
    };
    return (request, context) => {
      const replica = replicas[next++ % replicas.length];
      if (!replica || !['GET', 'HEAD'].includes(request.method) || !isRead(context)) return primary(request, context);
      return handleOnReplica(replica, request, context);
    };
  };
};
