import type { Router } from '@orpc/server';

import type { contract } from '#shared/contract/contract.ts';

/** The contract, implemented. Hosts hand it to their RPC handler with an empty context. */
export type AppRouter = Router<typeof contract, Record<never, never>>;
