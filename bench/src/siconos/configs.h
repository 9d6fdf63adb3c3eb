/*
 * The configurations of Siconos that are timed. The order matters only for the time the bench takes: what is usually fast
 * comes first, and slower ones are cut short against it. Options not set here keep the defaults of Siconos 4.4.
 */
#ifndef STICKSLIP_BENCH_SICONOS_CONFIGS_H
#define STICKSLIP_BENCH_SICONOS_CONFIGS_H

#include <Friction_cst.h>
#include <SolverOptions.h>

typedef struct Config
{
	const char *name;
	SolverOptions *(*create)(const struct Config *, double tolerance, int iterations_max);
	int solver;
	/* Gauss-Seidel: the solver of one contact; proximal: the inner solver. */
	int local;
	/* Gauss-Seidel: one fixed random order, contacts at rest left out for so many sweeps, over-relaxation. */
	int shuffle, freeze;
	double relaxation;
	/* Newton: hybrid strategy or formulation; ADMM: how rho changes. */
	int variant;
	/* ADMM: the rho to begin with, in the units of the file; 0 leaves the default, 1. */
	double rho;
	/* Newton, and proximal with Newton inside: CSparse's LU for the linear systems, where the default is MUMPS. */
	int small_lu;
	/* Proximal: alpha = sigma times the error; 0 leaves the default, 5. */
	double sigma;
	int changes_matrix;
	double wanted;
} Config;

static SolverOptions *create_plain(const Config *c, double tolerance, int iterations_max)
{
	SolverOptions *o = solver_options_create(c->solver);
	o->dparam[SICONOS_DPARAM_TOL] = tolerance;
	o->iparam[SICONOS_IPARAM_MAX_ITER] = iterations_max;
	return o;
}

static SolverOptions *create_gauss_seidel(const Config *c, double tolerance, int iterations_max)
{
	SolverOptions *o = create_plain(c, tolerance, iterations_max);
	if (c->local) solver_options_update_internal(o, 0, c->local);
	/*
	 * The default looks at the change of a sweep until that is below the tolerance, and then usually has solved ten to a
	 * hundred times better than asked (or, with frozen contacts, not at all). The real error every few sweeps is faster.
	 */
	o->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
	o->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 5;
	o->iparam[SICONOS_FRICTION_3D_NSGS_SHUFFLE] =
		c->shuffle ? SICONOS_FRICTION_3D_NSGS_SHUFFLE_TRUE : SICONOS_FRICTION_3D_NSGS_SHUFFLE_FALSE;
	o->iparam[SICONOS_FRICTION_3D_NSGS_SHUFFLE_SEED] = c->shuffle;
	o->iparam[SICONOS_FRICTION_3D_NSGS_FREEZING_CONTACT] = c->freeze;
	if (c->relaxation > 0)
	{
		o->iparam[SICONOS_FRICTION_3D_NSGS_RELAXATION] = SICONOS_FRICTION_3D_NSGS_RELAXATION_TRUE;
		o->dparam[SICONOS_FRICTION_3D_NSGS_RELAXATION_VALUE] = c->relaxation;
	}
	return o;
}

static SolverOptions *create_newton(const Config *c, double tolerance, int iterations_max)
{
	/* a Newton run that has not ended after thousands of steps cycles: let it end, its answer is judged anyway */
	SolverOptions *o = create_plain(c, tolerance, iterations_max < 5000 ? iterations_max : 5000);
	o->iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = c->variant;
	if (c->small_lu) o->iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
	return o;
}

static SolverOptions *create_newton_formulation(const Config *c, double tolerance, int iterations_max)
{
	SolverOptions *o = create_newton(c, tolerance, iterations_max);
	o->iparam[SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY] = SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_NO;
	o->iparam[SICONOS_FRICTION_3D_NSN_FORMULATION] = c->variant;
	return o;
}

static SolverOptions *create_proximal(const Config *c, double tolerance, int iterations_max)
{
	SolverOptions *o = create_plain(c, tolerance, iterations_max);
	if (c->local) solver_options_update_internal(o, 0, c->local);
	if (c->sigma > 0) o->dparam[SICONOS_FRICTION_3D_PROXIMAL_DPARAM_SIGMA] = c->sigma;
	if (c->small_lu) o->internalSolvers[0]->iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = SICONOS_FRICTION_3D_NSN_USE_CSLUSOL;
	return o;
}

static SolverOptions *create_admm(const Config *c, double tolerance, int iterations_max)
{
	SolverOptions *o = create_plain(c, tolerance, iterations_max);
	o->iparam[SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY] = c->variant;
	if (c->rho > 0) o->dparam[SICONOS_FRICTION_3D_ADMM_RHO] = c->rho;
	return o;
}

#define GAUSS_SEIDEL .create = create_gauss_seidel, .solver = SICONOS_FRICTION_3D_NSGS
#define NEWTON .local = SICONOS_FRICTION_3D_ONECONTACT_NSN_GP
#define PROJECTION .local = SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration
#define QUARTIC .local = SICONOS_FRICTION_3D_ONECONTACT_QUARTIC
#define HYBRID .variant = SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN
#define ALART_CURNIER .create = create_newton, .solver = SICONOS_FRICTION_3D_NSN_AC
#define ADMM .create = create_admm, .solver = SICONOS_FRICTION_3D_ADMM
#define PROXIMAL .create = create_proximal, .solver = SICONOS_FRICTION_3D_PROX, .changes_matrix = 1

static const Config configs[] = {
	{.name = "gs-newton", GAUSS_SEIDEL, NEWTON},
	{.name = "gs-newton-relaxed", GAUSS_SEIDEL, NEWTON, .relaxation = 1.4},
	{.name = "gs-newton-relaxed-more", GAUSS_SEIDEL, NEWTON, .relaxation = 1.6},
	{.name = "gs-newton-shuffle", GAUSS_SEIDEL, NEWTON, .shuffle = 1},
	{.name = "gs-newton-shuffle-freeze", GAUSS_SEIDEL, NEWTON, .shuffle = 1, .freeze = 10},
	{.name = "gs-newton-shuffle-freeze-relaxed", GAUSS_SEIDEL, NEWTON, .shuffle = 1, .freeze = 10, .relaxation = 1.4},
	{.name = "gs-quartic-shuffle", GAUSS_SEIDEL, QUARTIC, .shuffle = 1},
	{.name = "gs-quartic-relaxed-more", GAUSS_SEIDEL, QUARTIC, .relaxation = 1.6},
	{.name = "gs-projection-shuffle-freeze", GAUSS_SEIDEL, PROJECTION, .shuffle = 1, .freeze = 10},
	{.name = "admm", ADMM},
	{.name = "admm-rho-0.1", ADMM, .rho = 0.1},
	{.name = "admm-rho-0.01", ADMM, .rho = 0.01},
	{.name = "admm-rho-10", ADMM, .rho = 10},
	{.name = "extragradient", .create = create_plain, .solver = SICONOS_FRICTION_3D_EG},
	{.name = "vi-extragradient", .create = create_plain, .solver = SICONOS_FRICTION_3D_VI_EG},
	{.name = "vi-fixed-point", .create = create_plain, .solver = SICONOS_FRICTION_3D_VI_FPP},
	{.name = "fixed-point", .create = create_plain, .solver = SICONOS_FRICTION_3D_FPP},
	{.name = "proximal-newton-soft", PROXIMAL, .sigma = 0.05},
	{.name = "proximal-newton", PROXIMAL},
	{.name = "proximal-newton-cslu", PROXIMAL, .small_lu = 1},
	{.name = "proximal-newton-stiff", PROXIMAL, .sigma = 50},
	{.name = "proximal-newton-soft-cslu", PROXIMAL, .sigma = 0.05, .small_lu = 1},
	{.name = "newton-hybrid", ALART_CURNIER, HYBRID},
	{.name = "newton-hybrid-cslu", ALART_CURNIER, HYBRID, .small_lu = 1},
	{.name = "newton-alart-curnier", ALART_CURNIER},
	{.name = "newton-alart-curnier-cslu", ALART_CURNIER, .small_lu = 1},
	{.name = "newton-jean-moreau", .create = create_newton_formulation, .solver = SICONOS_FRICTION_3D_NSN_AC,
	 .variant = SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_GENERATED},
	{.name = "newton-fischer-burmeister", .create = create_newton, .solver = SICONOS_FRICTION_3D_NSN_FB},
	{.name = "newton-fischer-burmeister-cslu", .create = create_newton, .solver = SICONOS_FRICTION_3D_NSN_FB, .small_lu = 1},
	{.name = "newton-natural-map", .create = create_newton, .solver = SICONOS_FRICTION_3D_NSN_NM},
	{.name = "admm-balanced", ADMM, .variant = SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_RESIDUAL_BALANCING},
	{.name = "admm-scaled-balanced", ADMM, .variant = SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING},
	{.name = "gs-shuffle", GAUSS_SEIDEL, .shuffle = 1},
	{.name = "gs-shuffle-freeze", GAUSS_SEIDEL, .shuffle = 1, .freeze = 10},
	{.name = "gs-as-installed", .create = create_plain, .solver = SICONOS_FRICTION_3D_NSGS},
	{.name = "de-saxce", .create = create_plain, .solver = SICONOS_FRICTION_3D_DSFP},
	{.name = "proximal-gs", PROXIMAL, .local = SICONOS_FRICTION_3D_NSGS, .sigma = 0.05},
	{.name = "panagiotopoulos", .create = create_plain, .solver = SICONOS_FRICTION_3D_PFP},
	{.name = "tresca", .create = create_plain, .solver = SICONOS_FRICTION_3D_TFP},
	{.name = "aclm", .create = create_plain, .solver = SICONOS_FRICTION_3D_ACLMFP},
};

#endif
