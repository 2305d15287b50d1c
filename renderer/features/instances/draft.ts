/** What stands in the form of an instance, and its way from and to a definition. Numbers are texts until they are sent. */
import {
  instanceDefinitionSchema,
  type Access,
  type AccessKind,
  type Instance,
  type InstanceDefinition,
  type InstanceInput,
  type InstanceSecrets,
} from '#shared/model/instance.ts';

import { joinWords, splitWords } from './command-words.ts';
import { emptyList, listDraftOf, listInputOf, type ListDraft } from './list-draft.ts';

export interface Draft {
  readonly name: string;
  readonly kind: 'external' | 'managed' | 'list';
  readonly command: string;
  readonly folder: string;
  /** `NAME=value`, one a line. */
  readonly environment: string;
  readonly list: ListDraft;
  readonly port: 'automatic' | 'given';
  readonly listenPort: string;
  readonly host: InstanceDefinition['host'];
  readonly certificate: string;
  readonly isExposed: boolean;
  readonly access: AccessKind;
  readonly realm: string;
  readonly header: string;
  readonly preset: Extract<Access, { kind: 'hmac' }>['preset'];
  readonly toleranceS: string;
  readonly authorities: string;
  readonly names: string;
  /** New secrets; empty ones keep what is stored. */
  readonly users: readonly { readonly row: number; readonly name: string; readonly password: string }[];
  readonly token: string;
  readonly signingKey: string;
  readonly allow: string;
  readonly origins: string;
  readonly methods: string;
  readonly trailers: string;
  readonly numbers: Readonly<Record<NumberField, string>>;
  readonly switches: Readonly<Record<SwitchField, boolean>>;
  readonly hostHeader: string;
  readonly healthPath: string;
  readonly healthExpect: string;
}

/** Paths in the definition of what is typed as a number. */
export const numberFields = [
  'limits.body',
  'limits.head',
  'limits.ratePerSecond',
  'limits.burst',
  'limits.concurrency',
  'limits.queue',
  'timeouts.connectS',
  'timeouts.firstByteS',
  'timeouts.idleS',
  'timeouts.minRate',
  'serveStaleS',
  'healthCheck.intervalS',
] as const;
export type NumberField = (typeof numberFields)[number];

export const switchFields = [
  'websocket',
  'stripAuthorization',
  'rewriteLocation',
  'scopeCookies',
  'forwarded',
  'webInterface',
  'singleFlight',
] as const;
export type SwitchField = (typeof switchFields)[number];

export interface Problem {
  /** Path in the definition, such as `limits.body`, or `secrets.users`. */
  readonly field: string;
  readonly message: string;
}

const plain = instanceDefinitionSchema.parse({ name: 'new' });

export const emptyDraft: Draft = { ...draftOf({ ...plain, name: '' }), listenPort: '' };

/** A definition as it stands in the form; `listenPort` of a stored instance is always given. */
export function draftOf(from: InstanceDefinition | Instance): Draft {
  const { program, access, healthCheck } = from;
  return {
    name: from.name,
    kind: program.kind === 'builtin' ? 'list' : program.kind,
    command: program.kind === 'managed' ? joinWords(program.command) : '',
    folder: program.kind === 'managed' ? (program.folder ?? '') : '',
    environment:
      program.kind === 'managed'
        ? Object.entries(program.environment)
            .map(([name, value]) => `${name}=${value}`)
            .join('\n')
        : '',
    list: program.kind === 'builtin' ? listDraftOf(program.builtin) : emptyList,
    port: 'given',
    listenPort: from.listenPort === null ? '' : String(from.listenPort),
    host: from.host,
    certificate: from.certificate,
    isExposed: false,
    access: access.kind,
    realm: access.kind === 'basic' ? access.realm : 'Cordon',
    header: access.kind === 'bearer' ? access.header : 'Authorization',
    preset: access.kind === 'hmac' ? access.preset : 'slack',
    toleranceS: access.kind === 'hmac' ? String(access.toleranceS) : '300',
    authorities: access.kind === 'certificate' ? access.authorities : '',
    names: access.kind === 'certificate' ? access.names.join('\n') : '',
    users: [{ row: 0, name: '', password: '' }],
    token: '',
    signingKey: '',
    allow: from.allow.join('\n'),
    origins: from.origins.join('\n'),
    methods: from.methods?.join(' ') ?? '',
    trailers: from.trailers.join(' '),
    numbers: numbersOf(from),
    switches: switchesOf(from),
    hostHeader: from.hostHeader,
    healthPath: healthCheck.path,
    healthExpect: healthCheck.expect.join(' '),
  };
}

function numbersOf({ limits, timeouts, serveStaleS, healthCheck }: InstanceDefinition): Draft['numbers'] {
  return {
    'limits.body': String(limits.body),
    'limits.head': String(limits.head),
    'limits.ratePerSecond': String(limits.ratePerSecond),
    'limits.burst': String(limits.burst),
    'limits.concurrency': String(limits.concurrency),
    'limits.queue': String(limits.queue),
    'timeouts.connectS': String(timeouts.connectS),
    'timeouts.firstByteS': String(timeouts.firstByteS),
    'timeouts.idleS': String(timeouts.idleS),
    'timeouts.minRate': String(timeouts.minRate),
    serveStaleS: String(serveStaleS),
    'healthCheck.intervalS': String(healthCheck.intervalS),
  };
}

function switchesOf(from: InstanceDefinition): Draft['switches'] {
  const { websocket, stripAuthorization, rewriteLocation, scopeCookies, forwarded, webInterface, singleFlight } = from;
  return { websocket, stripAuthorization, rewriteLocation, scopeCookies, forwarded, webInterface, singleFlight };
}

export type Reading =
  | { readonly kind: 'ok'; readonly definition: InstanceDefinition; readonly secrets: InstanceSecrets }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** What is to be sent, or the first thing that is wrong with what was typed; core checks it again. */
export function readDraft(draft: Draft, stored: Instance | null): Reading {
  const typed = typedProblem(draft) ?? secretsProblem(draft, stored);
  if (typed !== null) return { kind: 'problem', problem: typed };
  const parsed = instanceDefinitionSchema.safeParse(inputOf(draft, stored));
  if (parsed.success) return { kind: 'ok', definition: parsed.data, secrets: secretsOf(draft) };
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  return { kind: 'problem', problem: { field, message: issueWords(issue?.code ?? '', issue?.message ?? '') } };
}

function inputOf(draft: Draft, stored: Instance | null): InstanceInput {
  const number = (field: NumberField) => Number(draft.numbers[field]);
  return {
    name: draft.name.trim(),
    listenPort: draft.port === 'automatic' ? null : Number(draft.listenPort),
    host: draft.host,
    certificate: draft.certificate.trim(),
    program: programOf(draft),
    enabled: stored?.enabled ?? true,
    openPort: stored?.openPort ?? false,
    access: accessOf(draft),
    allow: [...linesOf(draft.allow)],
    origins: [...linesOf(draft.origins)],
    methods: draft.methods.trim() === '' ? null : [...wordsOf(draft.methods.toUpperCase())],
    limits: {
      body: number('limits.body'),
      head: number('limits.head'),
      ratePerSecond: number('limits.ratePerSecond'),
      burst: number('limits.burst'),
      concurrency: number('limits.concurrency'),
      queue: number('limits.queue'),
    },
    timeouts: {
      connectS: number('timeouts.connectS'),
      firstByteS: number('timeouts.firstByteS'),
      idleS: number('timeouts.idleS'),
      minRate: number('timeouts.minRate'),
    },
    ...draft.switches,
    trailers: [...wordsOf(draft.trailers)],
    hostHeader: draft.hostHeader.trim(),
    serveStaleS: number('serveStaleS'),
    healthCheck: {
      path: draft.healthPath.trim(),
      intervalS: number('healthCheck.intervalS'),
      expect: wordsOf(draft.healthExpect).map(Number),
    },
  };
}

function programOf(draft: Draft): NonNullable<InstanceInput['program']> {
  if (draft.kind === 'external') return { kind: 'external' };
  if (draft.kind === 'list') return { kind: 'builtin', builtin: listInputOf(draft.list) };
  return {
    kind: 'managed',
    command: [...(splitWords(draft.command) ?? [])],
    folder: draft.folder.trim() === '' ? null : draft.folder.trim(),
    environment: Object.fromEntries(
      linesOf(draft.environment).map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at).trim(), line.slice(at + 1)];
      }),
    ),
  };
}

function accessOf(draft: Draft): NonNullable<InstanceInput['access']> {
  switch (draft.access) {
    case 'none':
      return { kind: 'none' };
    case 'basic':
      return { kind: 'basic', realm: draft.realm };
    case 'bearer':
      return { kind: 'bearer', header: draft.header.trim() };
    case 'hmac':
      return { kind: 'hmac', preset: draft.preset, toleranceS: Number(draft.toleranceS) };
    case 'certificate':
      return { kind: 'certificate', authorities: draft.authorities.trim(), names: [...linesOf(draft.names)] };
  }
}

function secretsOf(draft: Draft): InstanceSecrets {
  const users = typedUsers(draft);
  if (draft.access === 'basic' && users.length > 0) return { users };
  if (draft.access === 'bearer' && draft.token !== '') return { tokens: [draft.token] };
  if (draft.access === 'hmac' && draft.signingKey !== '') return { signingKey: draft.signingKey };
  return {};
}

function typedUsers({ users }: Draft): { name: string; password: string }[] {
  return users
    .filter(({ name, password }) => name !== '' || password !== '')
    .map(({ name, password }) => ({ name, password }));
}

/** What cannot even be put into the form of a definition. */
function typedProblem(draft: Draft): Problem | null {
  if (draft.name.trim() === '') return { field: 'name', message: 'Give it a name: it is part of the address.' };
  if (draft.port === 'given' && !/^\d{1,5}$/.test(draft.listenPort.trim()))
    return { field: 'listenPort', message: 'Type a port between 1 and 65535.' };
  const number = numberFields.find((field) => !isNumber(draft.numbers[field]));
  if (number !== undefined) return { field: number, message: 'Type a number.' };
  if (draft.access === 'hmac' && !isNumber(draft.toleranceS))
    return { field: 'access.toleranceS', message: 'Type a number of seconds.' };
  if (draft.kind !== 'managed') return null;
  const words = splitWords(draft.command);
  if (words === null) return { field: 'program.command', message: 'A quote is not closed.' };
  if (words.length === 0) return { field: 'program.command', message: 'Type the command that Cordon shall start.' };
  const line = linesOf(draft.environment).find((each) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(each.trim()));
  return line === undefined ? null : { field: 'program.environment', message: `“${line}” is not NAME=value.` };
}

/** Access control without anybody who could pass it, unless it is stored. */
function secretsProblem(draft: Draft, stored: Instance | null): Problem | null {
  const kept = stored?.access.kind === draft.access ? stored.secrets : null;
  if (draft.access === 'basic') {
    const users = typedUsers(draft);
    const half = users.find(({ name, password }) => name === '' || password === '');
    if (half !== undefined) return { field: 'secrets.users', message: 'Each user needs a name and a password.' };
    if (users.some(({ name }) => name.includes(':')))
      return { field: 'secrets.users', message: 'The name of a user cannot hold a colon; a password can.' };
    if (users.length === 0 && (kept?.users.length ?? 0) === 0)
      return { field: 'secrets.users', message: 'Give at least one user.' };
  }
  if (draft.access === 'bearer') {
    if (draft.token !== '' && draft.token.length < 16)
      return { field: 'secrets.tokens', message: 'A token has 16 characters or more.' };
    if (draft.token === '' && (kept?.tokens ?? 0) === 0)
      return { field: 'secrets.tokens', message: 'Type a token or generate one.' };
  }
  if (draft.access === 'hmac' && draft.signingKey === '' && kept?.signingKey !== true)
    return { field: 'secrets.signingKey', message: 'Paste the signing key of the sender.' };
  return null;
}

function issueWords(code: string, message: string): string {
  // The schema's own texts continue "It …"; those of the library are sentences already.
  return code === 'custom' || /^(is|has|holds) /.test(message) ? `It ${message}.` : `${message}.`;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text.trim());
}

/** Lines that hold something, without the blanks around them. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
