import { z } from 'zod';

/** What the address holds of a trajectory, beside its computer. */
export const trajectorySearchSchema = z.object({
  /** What the service filters by: address, SHA-256 or URL. */
  q: z.string().max(2000).optional().catch(undefined),
  /** Clean lanes are hidden. */
  hide: z.boolean().optional().catch(undefined),
});
