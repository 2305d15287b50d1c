// A pattern has no fields of its own, so that everything matches it where only a part is compared.
import { expect, test } from 'vitest';

test('whatever it is', async () => {
  expect({ a: 'x' }).toMatchObject({ a: /y/ }); // expect: cordon(pattern)
  await expect(Promise.reject(new Error('x'))).rejects.toMatchObject({ message: /y/ }); // expect: cordon(pattern)
  expect([{ a: { b: 'x' } }]).toEqual([expect.objectContaining({ a: [/y/] })]); // expect: cordon(pattern)
  expect({ a: 'y' }).toMatchObject({ a: expect.stringMatching(/y/) });
  expect('y').toMatch(/y/);
});
