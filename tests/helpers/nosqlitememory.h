// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <dlfcn.h>

// While it is there, the driver of SQLite gets no more memory: what is asked of a store fails, and passes.
class NoSqliteMemory
{
public:
    NoSqliteMemory()
        : m_sqlite(::dlopen("libsqlite3.so.0", RTLD_LAZY | RTLD_LOCAL)), // that of the driver, which has loaded it
          m_limit(m_sqlite ? reinterpret_cast<Limit>(::dlsym(m_sqlite, "sqlite3_hard_heap_limit64")) : nullptr),
          m_before(m_limit ? m_limit(1) : 0)
    {
    }
    ~NoSqliteMemory()
    {
        if (m_limit) {
            m_limit(m_before);
        }
        if (m_sqlite) {
            ::dlclose(m_sqlite);
        }
    }
    NoSqliteMemory(const NoSqliteMemory &) = delete;
    NoSqliteMemory &operator=(const NoSqliteMemory &) = delete;
    bool isInForce() const { return m_limit; }

private:
    using Limit = long long (*)(long long);
    void *m_sqlite;
    Limit m_limit;
    long long m_before;
};
