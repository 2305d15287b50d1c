import { describe, expect, it } from 'vitest';

import { facetTerm, holdsTerm, toggleTerm } from './facet-terms.ts';

describe('a value of a facet', () => {
  it('is added, and taken out by a second click', () => {
    const term = facetTerm('severity', { value: 'high', label: 'high' });
    const added = toggleTerm('host:FIN-', term);
    expect(added).toBe('host:FIN- severity:high');
    expect(holdsTerm(added, term)).toBe(true);
    expect(toggleTerm(added, term)).toBe('host:FIN-');
  });

  it('joins others about the same thing as an alternative', () => {
    const both = toggleTerm('severity:high powershell', 'severity:critical');
    expect(both).toBe('severity:high,critical powershell');
    expect(holdsTerm(both, 'severity:high')).toBe(true);
    expect(toggleTerm(both, 'severity:high')).toBe('severity:critical powershell');
  });

  it('leaves a term alone that excludes', () => {
    expect(toggleTerm('-outcome:open', 'outcome:open')).toBe('-outcome:open outcome:open');
  });

  it.each([
    ['type', { value: '1090519054', label: 'Threat Detected' }, 'type:1090519054'],
    ['type', { value: 'Odd Kind', label: 'Odd Kind' }, 'type="Odd Kind"'],
    ['group', { value: 'b1', label: 'Finance laptops' }, 'group="Finance laptops"'],
    ['detection', { value: 'W32.Auto:abc', label: 'W32.Auto:abc' }, 'detection=W32.Auto:abc'],
  ] as const)('of %s is typed as it can be read again', (name, facet, term) => {
    expect(facetTerm(name, facet)).toBe(term);
    expect(holdsTerm(toggleTerm('', term), term)).toBe(true);
  });
});
