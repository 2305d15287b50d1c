import { z } from 'zod';

import { entryKinds } from '#shared/model/incident.ts';

export const incidentLogSearchSchema = z.object({
  text: z.string().optional().catch(undefined),
  incident: z.string().optional().catch(undefined),
  kind: z.enum(entryKinds).optional().catch(undefined),
  target: z.string().optional().catch(undefined),
  /** Id of the entry to show. */
  entry: z.string().optional().catch(undefined),
  writes: z.boolean().optional().catch(undefined),
});
export type IncidentLogSearch = z.infer<typeof incidentLogSearchSchema>;
