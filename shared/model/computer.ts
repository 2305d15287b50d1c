import { z } from 'zod';

import { isolationGlances, type IsolationGlance } from './isolation.ts';

const named = z.looseObject({ guid: z.string(), name: z.string() });

/**
 * A computer as the service lists it. Everything but `connector_guid` is optional: records of older
 * generations lack most fields, and unknown fields are kept (API reference, "Computers").
 */
export const computerSchema = z.looseObject({
  connector_guid: z.string(),
  hostname: z.string().optional(),
  active: z.boolean().optional(),
  operating_system: z.string().optional(),
  os_version: z.string().optional(),
  connector_version: z.string().optional(),
  internal_ips: z.array(z.string()).optional(),
  external_ip: z.string().nullish(),
  network_addresses: z.array(z.looseObject({ mac: z.string().nullish(), ip: z.string().nullish() })).optional(),
  group_guid: z.string().optional(),
  groups: z.array(named).optional(),
  policy: named.partial().nullish(),
  install_date: z.string().optional(),
  last_seen: z.string().optional(),
  is_compromised: z.boolean().optional(),
  demo: z.boolean().optional(),
  faults: z.array(z.unknown()).optional(),
  isolation: z.looseObject({ available: z.boolean(), status: z.string() }).optional(),
  risk_score: z.number().optional(),
});
export type Computer = z.infer<typeof computerSchema>;

/** One row of the local copy, in the form that screens and completion use. Times are ISO 8601 UTC. */
export interface ComputerRow {
  readonly guid: string;
  readonly hostname: string;
  readonly groupGuid: string;
  readonly groupName: string;
  readonly policyName: string;
  readonly os: string;
  readonly connectorVersion: string;
  readonly internalIps: readonly string[];
  readonly externalIp: string;
  readonly macs: readonly string[];
  readonly lastSeen: string | null;
  readonly installDate: string | null;
  readonly compromised: boolean;
  readonly active: boolean;
  readonly isolation: IsolationGlance;
  /** When this row was last read from the service. */
  readonly readAt: string;
  /** When its isolation state was last read; a poll reads that alone. */
  readonly isolationReadAt: string;
  /** When a complete listing first lacked it; it may have been deleted elsewhere. */
  readonly vanishedAt: string | null;
  /** More than one computer of the local copy has this host name. */
  readonly duplicate: boolean;
}

export const computerColumns = [
  'hostname',
  'group',
  'policy',
  'os',
  'connector',
  'last_seen',
  'internal_ip',
  'external_ip',
  'mac',
  'isolation',
  'compromised',
  'installed',
  'guid',
] as const;
export type ComputerColumn = (typeof computerColumns)[number];

export const computerColumnTitles: Readonly<Record<ComputerColumn, string>> = {
  hostname: 'Name',
  group: 'Group',
  policy: 'Policy',
  os: 'Operating system',
  connector: 'Connector',
  last_seen: 'Last seen',
  internal_ip: 'Address',
  external_ip: 'External address',
  mac: 'MAC',
  isolation: 'Isolation',
  compromised: 'Compromised',
  installed: 'Installed',
  guid: 'GUID',
};

/** A row in words, for a screen reader and for copying. */
export function describeComputer(row: ComputerRow): string {
  const flags = row.compromised ? ', compromised' : '';
  return `${row.hostname}, isolation: ${isolationGlances[row.isolation].word}${flags}`;
}
