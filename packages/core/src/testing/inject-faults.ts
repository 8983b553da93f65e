/** Told of every call of a driver's methods before it begins and after it succeeded. What it throws, or never ends, is the fault. */
export type Fault = (method: string, moment: 'before' | 'after') => Promise<void> | void;

/** The same driver, with faults before and after its calls. Everything else it does is real. */
export function injectFaults<Driver extends object>(driver: Driver, fault: Fault): Driver {
  return new Proxy(driver, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return async (...parameters: unknown[]) => {
        await fault(String(key), 'before');
        const result: unknown = await Reflect.apply(member, target, parameters);
        await fault(String(key), 'after');
        return result;
      };
    },
  });
}
