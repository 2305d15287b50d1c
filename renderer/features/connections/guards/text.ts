import { common, type Value } from '#shared/text/common.ts';

/** Texts of connections/guards. */
export const t = {
  ...common,
  assignRoles: 'Assign roles in the list of computers. Suggested roles add confirmation but not protection.',
  changeRules: (connection: Value) => `Change the rules of ${connection}`,
  confirmServers: 'Confirm servers separately when several computers are selected',
  dcErp: '*-DC-*\nERP-??',
  groupsSubgroups: 'Groups, with their subgroups',
  guardRules:
    'Guard rules apply to this window, the command line and jobs of this profile. They prevent mistakes, not attacks. Restrict the API key too.',
  gUIDsOfComputers: 'GUIDs of computers',
  hostNames: 'Host names',
  incidentLogKeeps: 'The incident log keeps the rules before and after.',
  isolations: 'Isolations',
  loadingGuard: 'Loading the guard rules',
  noChangesYet: 'No changes yet.',
  noLongerProtect: (guid: Value) => `No longer protect ${guid}`,
  onePerLine: 'One per line; * and ? stand for any characters.',
  onePerLineTitle: 'One per line.',
  proposedLease: 'Proposed lease',
  protectedNever: 'Protected: never isolated, moved or changed; always released',
  refused: 'refused',
  requireReason: 'Require a reason for commands and automation (production always requires one)',
  requireTyped: 'Require typed confirmation above these limits; refuse larger jobs',
  assignedRoles: 'Assigned roles',
  someTheseStay: (managedSentence: Value) => ` ${managedSentence}: some of these stay protected; you may protect more.`,
  tier: 'Tier',
  typeConnections: (value: Value) => `Type the connection's name: ${value}`,
  typeOf: (value: Value) => `Type ${value}.`,
  whatHappens: 'What happens if I isolate …',
  whatIsAsked: 'What is asked',
} as const;
