// Generated from docs/reference/openapi.json.
export type Result = { command: string; args: Record<string, unknown>; data: readonly (Record<string, unknown>)[] | Record<string, unknown> | null; message: string; entry: string; total?: number; missing?: readonly (number)[]; matches?: boolean; status?: number; requestId?: string; durationMs: number };
export type Computers = { rows: readonly (Record<string, unknown>)[]; offset: number; matching: number; all: number; revision: number };
export type Computer = Record<string, unknown>;
export type Runs = { rows: readonly (Record<string, unknown>)[]; matching: number };
export type Run = { id: string; state: string };
export type Approval = { id: string; state: 'pending_approval' | 'approved' | 'used' | 'failed' | 'denied' | 'timed_out' | 'withdrawn'; title: string; requestedAt: string; expiresAt: string; outcome: string | null };
export type Problem = { type: string; title: string; status: number; detail: string; code: 'usage' | 'invalid_argument' | 'unknown_command' | 'no_connection' | 'unknown_connection' | 'insecure_url' | 'unknown_instance' | 'unknown_job' | 'unknown_run' | 'taken' | 'unknown_playbook' | 'approval_denied' | 'approval_needed' | 'unknown_approval' | 'approval_timed_out' | 'confirmation_needed' | 'bad_certificate' | 'read_only' | 'protected' | 'managed' | 'busy' | 'token_refused' | 'out_of_scope' | 'key_reused' | 'plan_drifted' | 'log_unavailable' | 'secret_unavailable' | 'write_not_permitted' | 'cancelled' | 'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'isolation_not_allowed' | 'conflict' | 'rate_limited' | 'service_error' | 'unexpected_status' | 'unexpected_redirect' | 'errors_in_success' | 'empty_body' | 'bad_json' | 'unexpected_shape' | 'truncated' | 'too_large' | 'incomplete' | 'dns' | 'refused' | 'unreachable' | 'reset' | 'connect_timeout' | 'response_timeout' | 'tls' | 'proxy' | 'outcome_unknown' | 'wait_timeout' | 'disk_full' | 'storage' | 'internal'; retry: 'no' | 'now' | 'later' | 'read_first'; field?: string; fix?: string; retryAt?: string; entry?: string; serviceStatus?: number };
interface At { connection?: string; incident?: string }
export interface Operations {
	svc_get_computers: { input: At & { limit?: number; offset?: number; hostname?: readonly (string)[]; internal_ip?: string; external_ip?: string; group_guid?: readonly (string)[]; all?: boolean }; output: Result };
	svc_get_computer_by_connector: { input: At & { connector_guid: string }; output: Result };
	svc_get_computer_trajctory: { input: At & { connector_guid: string; q?: string; limit?: number }; output: Result };
	svc_move_computer: { input: At & { connector_guid: string; group_guid: string; reason?: string; ticket?: string }; output: Result | Approval };
	svc_get_computer_activity: { input: At & { q: string; limit?: number; offset?: number; all?: boolean }; output: Result };
	svc_get_events: { input: At & { limit?: number; connector_guid?: readonly (string)[]; group_guid?: readonly (string)[]; detection_sha256?: string; application_sha256?: string; event_type?: readonly (number)[]; offset?: number; start_date?: string; all?: boolean }; output: Result };
	svc_get_event_types: { input: At; output: Result };
	svc_get_application_blocking: { input: At & { limit?: number; offset?: number; name?: readonly (string)[]; all?: boolean }; output: Result };
	svc_get_file_list_by_guid: { input: At & { file_list_guid: string }; output: Result };
	svc_get_simple_custom_detections: { input: At & { limit?: number; offset?: number; name?: readonly (string)[]; all?: boolean }; output: Result };
	svc_get_file_list_files: { input: At & { file_list_guid: string; limit?: number; offset?: number; all?: boolean }; output: Result };
	svc_get_file_list_files_by_sha: { input: At & { file_list_guid: string; sha256: string }; output: Result };
	svc_set_file_list_files_by_sha: { input: At & { file_list_guid: string; sha256: string; description?: string; reason?: string; ticket?: string }; output: Result | Approval };
	svc_delete_file_list_files_by_sha: { input: At & { file_list_guid: string; sha256: string; reason?: string; ticket?: string }; output: Result | Approval };
	svc_get_groups: { input: At & { limit?: number; offset?: number; name?: string; all?: boolean }; output: Result };
	svc_get_group: { input: At & { group_guid: string }; output: Result };
	svc_set_group_policy: { input: At & { group_guid: string; linux_policy_guid?: string; android_policy_guid?: string; mac_policy_guid?: string; windows_policy_guid?: string; reason?: string; ticket?: string }; output: Result | Approval };
	svc_get_policies: { input: At & { limit?: number; offset?: number; name?: readonly (string)[]; product?: readonly ('windows' | 'mac' | 'linux' | 'android' | 'ios' | 'network')[]; all?: boolean }; output: Result };
	svc_get_policy: { input: At & { policy_guid: string }; output: Result };
	svc_get_version: { input: At; output: Result };
	svc_delete_computers_isolation: { input: At & { connector_guid: string; comment?: string; reason?: string; ticket?: string }; output: Result | Approval };
	svc_put_computers_isolation: { input: At & { connector_guid: string; comment?: string; reason?: string; ticket?: string; lease?: number; 'auto-release'?: boolean }; output: Result | Approval };
	svc_get_computers_isolation: { input: At & { connector_guid: string; status?: 'not_isolated' | 'pending_start' | 'isolated' | 'pending_stop'; wait?: number }; output: Result };
	local_computers: { input: { filter?: string; offset?: number; limit?: number; connection?: string }; output: Computers };
	local_computer: { input: { connector_guid: string; connection?: string }; output: Computer };
	runs: { input: { offset?: number; limit?: number }; output: Runs };
	run: { input: { run: string }; output: Run };
	approval: { input: { approval: string }; output: Approval };
}
