# The image of every process of the served setting: web, worker, beat and migrate.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    JURYBOX_DATA=/data \
    STATIC_ROOT=/app/staticfiles

RUN useradd --system --uid 10001 --user-group --home-dir /data jurybox \
    && install --directory --owner=jurybox --group=jurybox /data

WORKDIR /app
# Before the source, so that a change of the source does not install everything again.
COPY requirements.txt .
RUN pip install --no-cache-dir --prefer-binary --requirement requirements.txt

COPY . .
# A key and a data folder for this one command; the image keeps neither.
RUN SECRET_KEY=build JURYBOX_DATA=/tmp/build python manage.py collectstatic --no-input \
    && rm -rf /tmp/build

USER jurybox
VOLUME /data
EXPOSE 8000
# Threads wait for the database side by side; WEB_CONCURRENCY sets the number of processes.
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--threads", "4", "--worker-tmp-dir", "/dev/shm", "--access-logfile", "-"]
