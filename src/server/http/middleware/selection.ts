import type { OperationSelector } from '../router/select-operation.ts';
import type { Step } from './in-order.ts';

/**
 * Keeps what `getPath` selected for the request; belongs above all that can wait.
 *
 * @example app.use(inOrder(selection(selector)))
 */
export const selection =
  (selector: OperationSelector): Step =>
  (c) =>
    c.set('selected', selector.takeSelected(c.req.raw));
