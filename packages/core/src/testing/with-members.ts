/** The same object, with some members in place of its own. Everything else it does is real. */
export function withMembers<Target extends object>(target: Target, members: Readonly<Record<string, unknown>>): Target {
  return new Proxy(target, {
    get(object, key) {
      const own = typeof key === 'string' ? members[key] : undefined;
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(object, key, object);
      return typeof member === 'function' ? member.bind(object) : member;
    },
  });
}
