/** How many questions by chance an operation is asked: 15, MOCK_REQUESTS to have more. MOCK_SEED chooses others. */
export const randomRequestOptions = {
  numRuns: Number(process.env['MOCK_REQUESTS'] ?? 15),
  seed: Number(process.env['MOCK_SEED'] ?? 20_260_601),
} as const;
