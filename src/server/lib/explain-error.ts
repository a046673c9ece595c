/** Returns the messages of an error and its causes. */
export const explainError = (error: unknown): string => {
  const messages: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (!messages.includes(cause.message) && cause.message !== '') messages.push(cause.message);
  return messages.join(': ') || String(error);
};
