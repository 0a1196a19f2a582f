#!/usr/bin/env python3
"""A Kafka broker on loopback for tests: the mock cluster of librdkafka, in memory. Prints its address; ends with its input."""

import sys

from confluent_kafka import Producer

# The addresses are not used: the mock cluster takes their place.
producer = Producer({"bootstrap.servers": "unused:1", "test.mock.num.brokers": 1, "log_level": 3})
broker = next(iter(producer.list_topics(timeout=10).brokers.values()))
print(f"{broker.host}:{broker.port}", flush=True)
sys.stdin.read()
