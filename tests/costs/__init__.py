"""What a request or a message may cost everybody else: loop time, bytes and memory for the worst input allowed."""
