/** So many at once, the others in line: whoever waits here costs the one who is asked no time. */

export interface Places {
  /** @returns false where none became free within that time; else the place is to be left. */
  enter(waitMs: number): Promise<boolean>;
  leave(): void;
}

export function createPlaces(count: number): Places {
  let free = count;
  const line = new Set<() => void>();
  return {
    enter: (waitMs) => {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          line.delete(admit);
          resolve(false);
        }, waitMs);
        const admit = () => {
          clearTimeout(timer);
          resolve(true);
        };
        line.add(admit);
      });
    },
    leave: () => {
      const [next] = line;
      if (next === undefined) {
        free += 1;
        return;
      }
      line.delete(next);
      next();
    },
  };
}

/** @returns those of each name, as many for one as for another. */
export function placesByName(count: number): (name: string) => Places {
  const known = new Map<string, Places>();
  return (name) => {
    const places = known.get(name) ?? createPlaces(count);
    known.set(name, places);
    return places;
  };
}
