/** One handler for each command of the catalogue. A family is loaded when one of its commands first runs: the command line starts faster. */
import type { Handlers } from './types.ts';

const computers = () => import('./computers.ts').then((family) => family.computerHandlers);
const events = () => import('./events.ts').then((family) => family.eventHandlers);
const fileLists = () => import('./file-lists.ts').then((family) => family.fileListHandlers);
const groups = () => import('./groups.ts').then((family) => family.groupHandlers);
const isolation = () => import('./isolation.ts').then((family) => family.isolationHandlers);
const policies = () => import('./policies.ts').then((family) => family.policyHandlers);
const service = () => import('./service.ts').then((family) => family.serviceHandlers);

export const handlers = {
  svc_get_computers: async (args, context) => (await computers()).svc_get_computers(args, context),
  svc_get_computer_by_connector: async (args, context) =>
    (await computers()).svc_get_computer_by_connector(args, context),
  svc_get_computer_trajctory: async (args, context) => (await computers()).svc_get_computer_trajctory(args, context),
  svc_move_computer: async (args, context) => (await computers()).svc_move_computer(args, context),
  svc_get_computer_activity: async (args, context) => (await computers()).svc_get_computer_activity(args, context),
  svc_get_events: async (args, context) => (await events()).svc_get_events(args, context),
  svc_get_event_types: async (args, context) => (await events()).svc_get_event_types(args, context),
  svc_get_application_blocking: async (args, context) =>
    (await fileLists()).svc_get_application_blocking(args, context),
  svc_get_file_list_by_guid: async (args, context) => (await fileLists()).svc_get_file_list_by_guid(args, context),
  svc_get_simple_custom_detections: async (args, context) =>
    (await fileLists()).svc_get_simple_custom_detections(args, context),
  svc_get_file_list_files: async (args, context) => (await fileLists()).svc_get_file_list_files(args, context),
  svc_get_file_list_files_by_sha: async (args, context) =>
    (await fileLists()).svc_get_file_list_files_by_sha(args, context),
  svc_set_file_list_files_by_sha: async (args, context) =>
    (await fileLists()).svc_set_file_list_files_by_sha(args, context),
  svc_delete_file_list_files_by_sha: async (args, context) =>
    (await fileLists()).svc_delete_file_list_files_by_sha(args, context),
  svc_get_groups: async (args, context) => (await groups()).svc_get_groups(args, context),
  svc_get_group: async (args, context) => (await groups()).svc_get_group(args, context),
  svc_set_group_policy: async (args, context) => (await groups()).svc_set_group_policy(args, context),
  svc_get_policies: async (args, context) => (await policies()).svc_get_policies(args, context),
  svc_get_policy: async (args, context) => (await policies()).svc_get_policy(args, context),
  svc_get_version: async (args, context) => (await service()).svc_get_version(args, context),
  svc_delete_computers_isolation: async (args, context) =>
    (await isolation()).svc_delete_computers_isolation(args, context),
  svc_put_computers_isolation: async (args, context) => (await isolation()).svc_put_computers_isolation(args, context),
  svc_get_computers_isolation: async (args, context) => (await isolation()).svc_get_computers_isolation(args, context),
} satisfies Handlers;
