import { z } from 'zod';

/** What a person sets once for this profile. Each field has its default, so an old file stays readable. */
export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark', 'contrast']).default('system'),
  /** Single-letter keys can be switched off for screen-reader users. */
  singleKeys: z.boolean().default(true),
  timeZone: z.enum(['local', 'utc']).default('local'),
  /** Column ids of the computers table, in order. */
  computerColumns: z.array(z.string()).default(['hostname', 'group', 'os', 'internal_ip', 'last_seen', 'isolation']),
  /** The connection that the window opens on. */
  activeConnection: z.string().nullable().default(null),
  /** The incident that new entries join. */
  activeIncident: z.string().nullable().default(null),
});
export type Settings = z.infer<typeof settingsSchema>;
