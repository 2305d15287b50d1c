import { z } from 'zod';

export const connectionColours = ['red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink', 'grey'] as const;
export type ConnectionColour = (typeof connectionColours)[number];

export const environments = ['production', 'test', 'sandbox'] as const;
export type Environment = (typeof environments)[number];

/** Regions of the service (API reference, "Hosts"). */
export const serverPresets = [
  { region: 'NAM', title: 'North America', url: 'https://api.amp.cisco.com' },
  { region: 'EU', title: 'Europe', url: 'https://api.eu.amp.cisco.com' },
  { region: 'APJC', title: 'Asia Pacific', url: 'https://api.apjc.amp.cisco.com' },
] as const;

const name = z.string().trim().min(1, 'is empty').max(60, 'has more than 60 characters');

const fields = {
  name,
  url: z.string().trim().min(1, 'is empty'),
  clientId: z.string().trim().min(1, 'is empty').max(200, 'has more than 200 characters'),
  apiKey: z.string().trim().min(1, 'is empty').max(500, 'has more than 500 characters').optional(),
  insecure: z.boolean(),
  colour: z.enum(connectionColours),
  environment: z.enum(['production', 'test']),
  readOnly: z.boolean(),
};

/** What a person enters. The API key goes in here and never comes out again. */
export const connectionInputSchema = z.object({
  ...fields,
  insecure: fields.insecure.default(false),
  colour: fields.colour.default('blue'),
  environment: fields.environment.default('production'),
  readOnly: fields.readOnly.default(true),
});
export type ConnectionInput = z.infer<typeof connectionInputSchema>;

/** A change of some fields. Not `connectionInputSchema.partial()`: that would fill in the defaults of fields left out. */
export const connectionChangeSchema = z.object(fields).partial();

/** A stored connection, without its key. */
export const connectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  clientId: z.string(),
  insecure: z.boolean(),
  colour: z.enum(connectionColours),
  environment: z.enum(environments),
  readOnly: z.boolean(),
  /** The embedded sandbox: its address changes with every start and it cannot be edited. */
  sandbox: z.boolean(),
  createdAt: z.string(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const testStages = ['url', 'dns', 'tcp', 'tls', 'version', 'credentials', 'clock', 'budget'] as const;
export type TestStage = (typeof testStages)[number];

export const testStageTitles: Readonly<Record<TestStage, string>> = {
  url: 'Address',
  dns: 'Name resolution',
  tcp: 'Connection',
  tls: 'Certificate',
  version: 'API version',
  credentials: 'Client ID and key',
  clock: 'Clock',
  budget: 'Remaining budget',
};

/** One stage of *Test*: what was found, in a sentence. `certificate` only at the TLS stage. */
export const testResultSchema = z.object({
  stage: z.enum(testStages),
  verdict: z.enum(['ok', 'warning', 'failed', 'skipped']),
  message: z.string(),
  certificate: z
    .object({
      subject: z.string(),
      issuer: z.string(),
      validFrom: z.string(),
      validTo: z.string(),
      fingerprint256: z.string(),
    })
    .optional(),
});
export type TestResult = z.infer<typeof testResultSchema>;
