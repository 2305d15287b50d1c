import { keepPreviousData, useQuery } from '@tanstack/react-query';

import type { FormField } from '#shared/commands/fields.ts';

import { useActiveConnection } from '../api/active.tsx';
import { useApi } from '../api/ApiProvider.tsx';
import { TextArea, TextField } from '../ui/Field.tsx';
import { ComboBox, Select } from '../ui/Select.tsx';

export interface CommandFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly error: string | null;
  readonly autoFocus: boolean;
  readonly onChange: (value: string) => void;
}

/** The control that fits an argument: choices, suggestions of the local copy, several lines, or plain text. */
export function CommandField(props: CommandFieldProps) {
  const { field, value, error, onChange, autoFocus } = props;
  const shared = { label: field.label, description: hintOf(field), error, isRequired: field.required };
  if (field.choices.length > 0 && field.many === 'no') {
    const options = field.choices.map((choice) => ({ value: choice, label: choice }));
    return <Select {...shared} options={options} value={value === '' ? null : value} onChange={onChange} />;
  }
  if (field.complete !== null && field.many === 'no') return <Suggesting {...props} />;
  if (field.many === 'repeat')
    return <TextArea {...shared} value={value} onChange={onChange} rows={2} autoFocus={autoFocus} />;
  return (
    <TextField
      {...shared}
      value={value}
      onChange={onChange}
      autoFocus={autoFocus}
      mono={field.kind !== 'text'}
      type={field.secret ? 'password' : 'text'}
      autoComplete="off"
    />
  );
}

function Suggesting({ field, value, error, autoFocus, onChange }: CommandFieldProps) {
  const { queries } = useApi();
  const connection = useActiveConnection().id;
  const source = field.complete ?? 'computer';
  const input = { connection, source, prefix: value, limit: 20 };
  const found = useQuery(
    queries.commands.suggest.queryOptions({ input, placeholderData: keepPreviousData, gcTime: 5_000 }),
  );
  const options = (found.data ?? []).map((each) => ({
    value: each.value,
    label: each.label,
    ...(each.label === each.value ? {} : { detail: each.value }),
  }));
  return (
    <ComboBox
      label={field.label}
      description={hintOf(field)}
      error={error}
      isRequired={field.required}
      autoFocus={autoFocus}
      options={options}
      input={value}
      onInput={onChange}
    />
  );
}

function hintOf(field: FormField): string {
  if (field.many === 'comma') return `${field.hint} Separate several with commas.`;
  return field.many === 'repeat' ? `${field.hint} One on each line.` : field.hint;
}
