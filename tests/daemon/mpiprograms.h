// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFileInfo>
#include <QLibrary>
#include <QProcess>
#include <QStandardPaths>

namespace trainyard
{

// Whether mpirun is here and that of Open MPI.
inline bool hasOpenMpi()
{
    constexpr int patienceMs = 10'000;
    QProcess version;
    version.start(QStringLiteral("mpirun"), {QStringLiteral("--version")});
    return version.waitForFinished(patienceMs) && version.readAllStandardOutput().contains("Open MPI");
}

#define SKIP_WITHOUT_OPEN_MPI()                                                                                        \
    do {                                                                                                               \
        if (!hasOpenMpi()) {                                                                                           \
            QSKIP("There is no Open MPI: install the package openmpi-bin.");                                           \
        }                                                                                                              \
    } while (false)

// Whether MPICH is here: its starter and its library, of which Python calls what it needs.
inline bool hasMpich()
{
    QLibrary library(QStringLiteral("mpich"), 12);
    return !QStandardPaths::findExecutable(QStringLiteral("mpiexec.hydra")).isEmpty()
        && !QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty() && library.load();
}

#define SKIP_WITHOUT_MPICH()                                                                                           \
    do {                                                                                                               \
        if (!hasMpich()) {                                                                                             \
            QSKIP("There is no MPICH: install the package mpich.");                                                    \
        }                                                                                                              \
    } while (false)

// A command that writes the program `file`, in which each process sends 10 plus its rank to all others and prints the
// sum: "rank 1 of 3 in worker-0: 33.". The numbers are the handles of MPI_COMM_WORLD, MPI_INT and MPI_SUM in MPICH's
// mpi.h.
inline QByteArray mpichSumProgram(const QByteArray &file = "sum.py")
{
    return "cat > " + file + R"( <<'PY'
import ctypes, os
mpi = ctypes.CDLL("libmpich.so.12", mode=ctypes.RTLD_GLOBAL)
world, integer, plus = 0x44000000, 0x4C000405, 0x58000003
mpi.MPI_Init(None, None)
rank, size, total = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
mpi.MPI_Comm_size(world, ctypes.byref(size))
own = ctypes.c_int(10 + rank.value)
mpi.MPI_Allreduce(ctypes.byref(own), ctypes.byref(total), 1, integer, plus, world)
task = os.environ["PAI_CURRENT_TASK_ROLE_NAME"] + "-" + os.environ["PAI_TASK_INDEX"]
os.write(1, f"rank {rank.value} of {size.value} in {task}: {total.value}.\n".encode())
mpi.MPI_Finalize()
PY)";
}

} // namespace trainyard
