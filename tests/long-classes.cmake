# SPDX-License-Identifier: GPL-3.0-or-later
# Test classes that `./dev test` leaves out, and `./dev test --all` runs (docs/adr/0025-a-suite-of-two-parts.md). Beside
# each group: what stays of its subject.
set(TRAINYARD_LONG_CLASSES
    # Slurm: tst_clislurm, tst_loginsite, unit.tst_slurmarrayrules, the table of tst_backends
    contract.tst_exportslurm
    daemon.tst_clislurmlogin
    daemon.tst_slurm
    daemon.tst_slurmaccounting
    daemon.tst_slurmarray
    daemon.tst_slurmchaos
    daemon.tst_slurmdata
    daemon.tst_slurmends
    daemon.tst_slurmimages
    daemon.tst_slurmloginarray
    daemon.tst_slurmmodules
    daemon.tst_slurmscenarios
    daemon.tst_slurmssh
    # Hosts and their links: tst_hostfiles, tst_hoststreams, tst_peers, tst_threehosts, tst_agentconnection
    daemon.tst_codecuts
    daemon.tst_cutstorms
    daemon.tst_hostchaos
    daemon.tst_latelogs
    daemon.tst_mpihosts
    daemon.tst_linkcuts
    daemon.tst_oddservers
    daemon.tst_reboots
    daemon.tst_ssh
    daemon.tst_sshlogs
    daemon.tst_sshquestions
    program.tst_addinghosts
    # What a host is used for: tst_hostadvice, gui.tst_hostspage
    daemon.tst_clihostuse
    daemon.tst_hostdisk
    daemon.tst_securitykeys
    # What goes to hosts and comes from them: tst_clisync, tst_clipull
    daemon.tst_checkpoints
    daemon.tst_codecopy
    daemon.tst_forwards
    daemon.tst_jobdata
    daemon.tst_jobresults
    daemon.tst_resultfiles
    # Containers: contract.tst_containertask
    daemon.tst_containerhosts
    daemon.tst_containerlosses
    daemon.tst_containerplugins
    daemon.tst_containers
    # Kills and damage: tst_restart
    daemon.tst_chaos
    daemon.tst_clockchanges
    daemon.tst_damage
    daemon.tst_fulldisks
    daemon.tst_hold
    daemon.tst_oddstarts
    program.tst_killedprograms
    # Commands: tst_cliwords, tst_clicompare (which has a sweep), contract.tst_cliwhy, program.tst_quickstartwait
    contract.tst_cliedit
    contract.tst_clifindings
    contract.tst_clifixes
    contract.tst_clijoblimits
    contract.tst_clilimits
    contract.tst_climetrics
    contract.tst_clirender
    contract.tst_cliusage
    daemon.tst_cliengine
    daemon.tst_clifollow
    daemon.tst_cliforward
    daemon.tst_clijobs
    daemon.tst_cliretries
    daemon.tst_clirun
    daemon.tst_clishow
    daemon.tst_clisubmit
    daemon.tst_clitasks
    daemon.tst_clitop
    daemon.tst_cliwhyjobs
    daemon.tst_sweeps
    # Input that no one would write: the fuzz targets, tst_designerpage
    gui.tst_designerinput
    # GPUs, plugins, the RPC: tst_gpus, tst_secrets, tst_server
    daemon.tst_gpuanswers
    daemon.tst_oldjobs
    daemon.tst_plugins
    daemon.tst_pluginsecrets
    daemon.tst_rpcfuzz
    daemon.tst_sshplugin
    daemon.tst_stepsoftasks
)
