"""Orders of the shop, kept as files. Replace this file by tables of your database."""
import json, os, re
from pathlib import Path
from kashbox import is_paid

DATA = Path(os.environ.get('DATA_FOLDER', 'data'))
DATA.mkdir(mode=0o700, exist_ok=True)


def save_order(order):
    """Keeps an order: id, amount as "500.00", and the session reference of its payment."""
    (DATA / f"{order['id']}.json").write_text(json.dumps(order))


def load_order(order_id):
    """Returns the order, or None; the id may be anything that a stranger has typed."""
    if not isinstance(order_id, str) or not re.fullmatch('[0-9a-f]{32}', order_id):
        return None
    file = DATA / f'{order_id}.json'
    return json.loads(file.read_text()) if file.exists() else None


def fulfil(order):
    """Delivers an order if it is paid, and only once. Returns whether it is paid."""
    if not is_paid(order):
        return False
    try:
        # Mode x creates the file, or fails if it exists: of two calls at once, one delivers.
        # In a database: insert the order id with a unique key, and deliver in the same transaction.
        (DATA / f"{order['id']}.delivered").open('x').close()
    except FileExistsError:
        return True
    with (DATA / 'deliveries.log').open('a') as log:
        log.write(f"{order['id']}\n")
    return True
