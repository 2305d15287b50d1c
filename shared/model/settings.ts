import { z } from 'zod';

const fields = {
  theme: z.enum(['system', 'light', 'dark', 'contrast']),
  /** Single-letter keys can be switched off for screen-reader users. */
  singleKeys: z.boolean(),
  timeZone: z.enum(['local', 'utc']),
  /** Column ids of the computers table, in order. */
  computerColumns: z.array(z.string()),
  /** The connection that the window opens on. */
  activeConnection: z.string().nullable(),
  /** The incident that new entries join. */
  activeIncident: z.string().nullable(),
};

/** What a person sets once for this profile. Each field has its default, so an old file stays readable. */
export const settingsSchema = z.object({
  theme: fields.theme.default('system'),
  singleKeys: fields.singleKeys.default(true),
  timeZone: fields.timeZone.default('local'),
  computerColumns: fields.computerColumns.default(['hostname', 'group', 'os', 'internal_ip', 'last_seen', 'isolation']),
  activeConnection: fields.activeConnection.default(null),
  activeIncident: fields.activeIncident.default(null),
});
export type Settings = z.infer<typeof settingsSchema>;

/** A change of some settings. Not `settingsSchema.partial()`: that would fill in the defaults of what is left out. */
export const settingsChangeSchema = z.object(fields).partial();
