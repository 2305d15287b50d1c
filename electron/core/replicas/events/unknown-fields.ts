const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Fields of events in the API reference, 6.1. */
const known: Readonly<Record<string, ReadonlySet<string>>> = {
  '': words(
    'id timestamp timestamp_nanoseconds date event_type event_type_id detection detection_id connector_guid group_guids severity ' +
      'start_timestamp start_date computer hostname file scan error fault_event_title intervention_required cloud_ioc command_line ' +
      'network_info vulnerabilities tactics techniques threat_hunting isolation bp_data user_name',
  ),
  computer: words('connector_guid hostname external_ip user active network_addresses links'),
  file: words('disposition file_name file_path file_size identity parent archived_file attack_details'),
  network_info: words('dirty_url url remote_ip remote_port local_ip local_port disposition nfm parent'),
};

/** Names of fields that this version does not know, with the block that they stand in. */
export function unknownFieldsOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(known).flatMap(([block, names]) => {
    const value = block === '' ? record : record[block];
    if (typeof value !== 'object' || value === null) return [];
    return Object.keys(value)
      .filter((name) => !names.has(name))
      .map((name) => (block === '' ? name : `${block}.${name}`));
  });
}
