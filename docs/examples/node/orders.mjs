// Orders of the shop, kept as files. Replace this file by tables of your database.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isPaid } from './kashbox.mjs';

const DATA = process.env.DATA_FOLDER ?? './data';
mkdirSync(DATA, { recursive: true, mode: 0o700 });

/** Keeps an order: id, amount as "500.00", and the session reference of its payment. */
export function saveOrder(order) {
  writeFileSync(`${DATA}/${order.id}.json`, JSON.stringify(order));
}

/** Returns the order, or null; the id may be anything that a stranger has typed. */
export function loadOrder(id) {
  const isThere = /^[0-9a-f]{32}$/.test(id) && existsSync(`${DATA}/${id}.json`);
  return isThere ? JSON.parse(readFileSync(`${DATA}/${id}.json`, 'utf8')) : null;
}

/** Delivers an order if it is paid, and only once. Returns whether it is paid. */
export async function fulfil(order) {
  if (!(await isPaid(order))) return false;
  try {
    // Flag wx creates the file, or fails if it exists: of two calls at once, one delivers.
    // In a database: insert the order id into a table with a unique key, and deliver in the same transaction.
    writeFileSync(`${DATA}/${order.id}.delivered`, '', { flag: 'wx' });
  } catch (error) {
    if (error.code === 'EEXIST') return true;
    throw error;
  }
  appendFileSync(`${DATA}/deliveries.log`, `${order.id}\n`);
  return true;
}
