"""Runs clients/python for the tests: a call in JSON per line of input, its outcome per line of output."""
import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / 'clients/python'))
import kashbox


def snake(names):
    lower = lambda found: '_' + found[0].lower()
    return {re.sub('[A-Z]', lower, name): value for name, value in names.items()}


def camel(record):
    fields = asdict(record)
    if isinstance(record, kashbox.Payment):
        fields['is_paid'] = record.is_paid
    return {re.sub('_(.)', lambda found: found[1].upper(), name): value for name, value in fields.items()}


def with_log(call):
    def deliver(payment):
        if call.get('fails'):
            raise RuntimeError('no stock')
        with open(call['log'], 'a') as log:
            log.write(f'{payment.order}\n')

    return deliver


def outcome(call):
    if call['do'] == 'amount':
        return kashbox.amount_of(call['amount'])
    options = {'url': None, 'key': None, **call['options']}
    if 'deliveries' in options:
        options['deliveries'] = kashbox.FileDeliveryStore(options['deliveries'])
    client = kashbox.Kashbox(**options)
    # An argument that is left out is a TypeError of Python itself.
    needed = {
        'create': ['order', 'amount', 'success_url', 'cancel_url'],
        'verify': ['id', 'order', 'amount'],
        'settle': ['id', 'order', 'amount'],
        'refund': ['id', 'refund', 'note'],
    }
    given = {**dict.fromkeys(needed.get(call['do'], [])), **snake(call.get('call', {}))}
    if call['do'] == 'create':
        return camel(client.create(**given))
    if call['do'] == 'verify':
        return camel(client.verify(**given))
    if call['do'] == 'refund':
        return camel(client.refund(**given))
    if call['do'] == 'settle':
        return camel(client.settle(with_log(call), **given))
    if call['do'] == 'receive':
        return camel(client.receive(call['body'].encode(), call['headers'], call.get('now')))
    return 'configured'


for line in sys.stdin:
    try:
        told = {'result': outcome(json.loads(line))}
    except kashbox.KashboxError as fault:
        told = {'error': {'kind': type(fault).__name__, 'message': str(fault), **vars(fault)}}
    except Exception as fault:
        told = {'error': {'kind': 'other', 'message': str(fault)}}
    print(json.dumps(told), flush=True)
