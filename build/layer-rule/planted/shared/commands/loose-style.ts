import { type Command } from './define.ts';
export function loosely(value: any): string { // expect: typescript(no-explicit-any)
  return value!.name; // expect: typescript(no-non-null-assertion)
}
export default loosely; // expect: import(no-default-export)
export type Used = Command;
