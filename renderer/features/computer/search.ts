import { z } from 'zod';

export const computerSearchSchema = z.object({
  tab: z.enum(['activity', 'record', 'log']).optional().catch(undefined),
  /** Opens a dialog; nothing is sent by opening a link. */
  act: z.enum(['isolate', 'release', 'move', 'note', 'copy']).optional().catch(undefined),
});
export type ComputerSearch = z.infer<typeof computerSearchSchema>;
