#!/bin/sh
# Written by Terraform for billing-prod.
set -eu
cat > /etc/mirrors <<'EOF'
mirror-1.example.com       3
mirror-2.example.com       1
EOF

install -d "/srv/api"
echo 'DATABASE_HOST=db.billing-prod.internal' >> "/srv/api/environment"
echo 'LOG_LEVEL=warn' >> "/srv/api/environment"
echo 'POOL_SIZE=20' >> "/srv/api/environment"
echo 'SERVICE=api' >> "/srv/api/environment"
certificate --for api.example.com --into "${STATE:-/var/lib}/api"

install -d "/srv/reports"
echo 'LOG_LEVEL=warn' >> "/srv/reports/environment"
echo 'SERVICE=reports' >> "/srv/reports/environment"
# reports is not reached from outside.

install -d "/srv/worker"
echo 'LOG_LEVEL=warn' >> "/srv/worker/environment"
echo 'SERVICE=worker' >> "/srv/worker/environment"
# worker is not reached from outside.
